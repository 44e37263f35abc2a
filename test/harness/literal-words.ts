import { parseAst } from 'vitest/node'
import type { Source } from './sources.ts'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

// A word has a lower-case letter: K7Q4M2XT9C and PDF are none.
const WORD = /\p{L}*\p{Ll}\p{L}+|\p{L}+\p{Ll}\p{L}*/u
const SENTENCE = /\p{L}{2,}[,:]?\s+\p{L}{2,}|^\s*\p{Lu}\p{Ll}/u
const SAID = /\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g
const HOLE = '\0'
// A part of a tag.
const ATTRIBUTES = /^(\s(open|checked|selected|[a-z-]+="[^"]*"))+$/

/** The text of a template without its tags, and of its attributes that are said. */
const shownOf = (markup: string): string[] => [
  ...[...markup.matchAll(SAID)].map(([, text = '']) => text),
  ...(ATTRIBUTES.test(markup) ? [] : markup.replace(/<[^>]*>/g, HOLE).split(HOLE)),
]

const quasisOf = (template: Node): string =>
  (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(HOLE)

/** Words of a page that are written in its code, where messages belong. What errors say to developers is none. */
export function literalWords({ path, text }: Source): string[] {
  const found: string[] = []
  const add = (words: readonly string[], node: Node) => {
    const line = text.slice(0, node.start).split('\n').length
    found.push(...words.map((one) => `${path}:${line} ${one.trim()}`))
  }
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)) return
    if (node.type === 'NewExpression' && /Error$/.test(String((node.callee as { name?: string }).name))) return
    if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return
    if (node.type === 'TaggedTemplateExpression') {
      const { name } = node.tag as { name?: string }
      const quasi = node.quasi as Node
      if (name === 'html')
        add(
          shownOf(quasisOf(quasi)).filter((one) => WORD.test(one)),
          node,
        )
      for (const one of quasi.expressions as Node[]) visit(one)
      return
    }
    if (node.type === 'TemplateLiteral')
      add(
        [quasisOf(node)].filter((one) => SENTENCE.test(one)),
        node,
      )
    if (node.type === 'Literal' && typeof node.value === 'string')
      add(
        [node.value].filter((one) => SENTENCE.test(one)),
        node,
      )
    for (const value of Object.values(node)) {
      if (isNode(value)) visit(value)
      else if (Array.isArray(value)) value.filter(isNode).forEach(visit)
    }
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node)
  return found
}
