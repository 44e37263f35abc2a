import { encode } from 'uqr'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type Html, html } from '../../platform/http/html.ts'
import { plain } from '../emails/layout.ts'
import { selectKitOfLabel } from './queries.ts'

export interface Label {
  kitId: string
  businessName: string
  /** The content of the QR code. */
  address: string
  isTest: boolean
}

// Millimetres: a common size of address labels.
const SIZE = { width: 89, height: 36 } as const
const CODE = { x: 3, y: 3, side: 30 } as const
const TEXT = { x: 37, width: 49 } as const

/** The content of a box's label; undefined if the kit does not exist. */
export async function findLabel(tx: SystemTx, kitId: string): Promise<Label | undefined> {
  const { publicUrl } = tx.context
  if (!publicUrl) throw new Error('PUBLIC_URL is needed for a label')
  const kit = await selectKitOfLabel(tx, kitId)
  return kit && { kitId, businessName: kit.name, isTest: kit.mode === 'sandbox', address: `${publicUrl}/k/${kitId}` }
}

/** The label of a box: the code that leads to the registration, the ID to type, and whose kit it is. */
export function boxLabel({ kitId, businessName, address, isTest }: Label): Html {
  // Level M: 15 % of a scuffed label may be missing. The quiet zone of four modules is the label's own white.
  const { data, size } = encode(address, { ecc: 'M', border: 0 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const name = plain(businessName)
  const lines = wrap(name)
  const site = address.replace(/^https?:\/\//, '').slice(0, -kitId.length - 1)
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}mm" height="${SIZE.height}mm" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="Label of kit ${kitId}, ${name}">
<rect width="${SIZE.width}" height="${SIZE.height}" fill="#fff"/>
<path fill="#000" shape-rendering="crispEdges" transform="translate(${CODE.x} ${CODE.y}) scale(${CODE.side / size})" d="${squares.join('')}"/>
<g fill="#000" font-family="Helvetica, Arial, sans-serif">
${lines.map((line, index) => html`<text x="${TEXT.x}" y="${7 + index * 4.6}" font-size="4" font-weight="700">${line}</text>`)}
<text x="${TEXT.x}" y="18.5" font-size="2.9">${isTest ? 'TEST KIT, not for use' : 'Register before you take your sample:'}</text>
<text x="${TEXT.x}" y="26.5" font-size="7" font-weight="700" font-family="Menlo, Consolas, 'DejaVu Sans Mono', monospace" textLength="${TEXT.width}" lengthAdjust="spacingAndGlyphs">${kitId}</text>
<text x="${TEXT.x}" y="30" font-size="2.6">Scan the code, or go to</text>
<text x="${TEXT.x}" y="33.2" font-size="2.6"${site.length > FITS && squeezed}>${site}</text>
</g>
</svg>
`
}

const LINE = 22
// Characters of the address's size beside each other.
const FITS = 36
const squeezed = html` textLength="${TEXT.width}" lengthAdjust="spacingAndGlyphs"`

/** Two lines at most; what is longer ends in an ellipsis. */
function wrap(name: string): string[] {
  const lines: string[] = []
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= LINE) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const [first = '', second, ...rest] = lines.map((line) => (line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line))
  if (second === undefined) return [first]
  return [first, rest.length > 0 ? `${second.slice(0, LINE - 1)}…` : second]
}
