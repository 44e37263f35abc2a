import { getResolvedPDFJS } from 'unpdf'

interface Drawn {
  getOperatorList(): Promise<{ fnArray: ArrayLike<number>; argsArray: ArrayLike<unknown> }>
}

const invisible = 3

/**
 * Whether a page is a picture with invisible text behind it: what a scanner's own recognition wrote there is no better
 * than ours, and looks like a text layer.
 */
export async function hasHiddenText(page: Drawn): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const pictures = new Set<number>([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject])
  const operations = Array.from(fnArray)
  return (
    operations.some((operation) => pictures.has(operation)) &&
    operations.some((operation, index) => operation === OPS.setTextRenderingMode && isInvisible(argsArray[index]))
  )
}

const isInvisible = (args: unknown) => Array.isArray(args) && args[0] === invisible
