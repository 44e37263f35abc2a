import { readFileSync } from 'node:fs'
import { type Accent, accentsOf } from '@kitlane/display/color'
import { sha256 } from '../../../platform/crypto.ts'

const rules = readFileSync(new URL('./page.css', import.meta.url), 'utf8')

/** The one stylesheet of the pages, in a business's color (`rrggbb`). */
export function stylesheet(color: string): string {
  const { light, dark } = accentsOf(color)
  const root = ({ accent, fill, ink }: Accent) => `:root { --accent: ${accent}; --fill: ${fill}; --ink: ${ink}; }`
  return `${root(light)}\n@media screen and (prefers-color-scheme: dark) { ${root(dark)} }\n${rules}`
}

/** The address of that stylesheet. It changes with the content, so browsers may keep each version for ever. */
export function stylesheetPath(color: string): string {
  const version = sha256(stylesheet(color)).toString('hex').slice(0, 12)
  return `/pages/${version}/${color}.css`
}

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 10h22v18H5z" fill="#5b6770"/><path d="M3 5h26v7H3z" fill="#3b454d"/><path d="M12 16h8v5h-8z" fill="#fff"/></svg>'
