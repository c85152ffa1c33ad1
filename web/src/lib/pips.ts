/** Where the pips of each face lie: of nine places, row by row. */
export const PIPS = ['', '4', '26', '246', '0268', '02468', '023568']
