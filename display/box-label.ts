/**
 * Whether a code is printed on the boxes of one of these products, and is not a label's: its GTIN as shops scan it, or a part
 * of the GS1 code that a reader lost the rest of. The check digit does not count: of a damaged code it may be wrong.
 */
export function isOfProduct(code: string, gtins: readonly string[]): boolean {
  const text = code.replaceAll(/[^0-9A-Z]/gi, '')
  return gtins.some((gtin) => {
    const element = `01${gtin.slice(0, -1)}`
    const number = gtin.slice(0, -1).replace(/^0+/, '')
    const isCut = text.length >= 8 && element.startsWith(text)
    // No carrier's number has eleven digits of a product by chance.
    const isWithin = text.includes(number.length >= 11 ? number : element)
    return isCut || isWithin || text.replace(/^0+/, '').slice(0, -1) === number
  })
}
