# SPDX-License-Identifier: MIT
#
# Reads one module as `spirv-dis --raw-id` prints it, and prints it again with a request on every
# function that it be kept a function, unless it is called from one place only and returns from one.
# What spirv-opt then inlines is code that no other call repeats, so that modules become smaller.

{ line[NR] = $0 }
$3 == "OpFunctionCall" { calls[$5]++ }
$3 == "OpFunction" { name = $1 }
$1 ~ /^OpReturn/ { returns[name]++ }
END {
    for (i = 1; i <= NR; i++) {
        split(line[i], word, " ")
        if (word[3] == "OpFunction" && (calls[word[1]] != 1 || returns[word[1]] != 1))
            sub(/ None /, " DontInline ", line[i])
        print line[i]
    }
}
