import { readFileSync } from 'node:fs'
import { sha256 } from '../../../platform/crypto.ts'
import { type Accent, accentsOf } from '../color.ts'

const rules = readFileSync(new URL('./page.css', import.meta.url), 'utf8')
const code = readFileSync(new URL('../color.ts', import.meta.url), 'utf8')

/** Changes with the style, so that browsers may keep each for ever. */
export const STYLE_VERSION = sha256(rules + code)
  .toString('hex')
  .slice(0, 12)

/** The one stylesheet of the pages, in a business's color (`rrggbb`). */
export function stylesheet(color: string): string {
  const { light, dark } = accentsOf(color)
  const root = ({ accent, fill, ink }: Accent) => `:root { --accent: ${accent}; --fill: ${fill}; --ink: ${ink}; }`
  return `${root(light)}\n@media (prefers-color-scheme: dark) { ${root(dark)} }\n${rules}`
}

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 10h22v18H5z" fill="#5b6770"/><path d="M3 5h26v7H3z" fill="#3b454d"/><path d="M12 16h8v5h-8z" fill="#fff"/></svg>'
