import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './sources.ts'

export interface CodeBlock {
  language: string
  /** What stands behind the language: `file=receiver.py`, `refused`. */
  note: string
  code: string
}

/** The code blocks of a Markdown file, in their order. */
export async function blocksOf(path: string): Promise<CodeBlock[]> {
  const text = await readFile(join(root, path), 'utf8')
  const blocks = text.matchAll(/^```(\w*) ?([^\n]*)\n(.*?)^```$/gms)
  return Array.from(blocks, ([, language = '', note = '', code = '']) => ({ language, note, code }))
}
