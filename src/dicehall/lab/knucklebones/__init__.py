"""Classic Knucklebones, learned from the solved game: `teach` makes the network and `packing` puts it into its book;
`measure` and `figures` say how good it and other `players` are; `leads` makes the chart. The first, `measure` and
`figures` need a GPU.
"""
