import { parseAst } from 'vitest/node'
import type { Source } from './sources.ts'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export interface Literal {
  /** What stands in the code: a string, a template, a text between tags. */
  node: Node
  parent: Node
  words: string
}

const programs = new Map<string, Node>()

function programOf({ path, text }: Source): Node {
  const known = programs.get(text)
  if (known) return known
  const program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  programs.set(text, program)
  return program
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
const HOLE = '\0'
const WORD = /\p{L}*\p{Ll}\p{L}+/u
// Two words, or a first one with a capital letter.
const SAID = /\p{L}{2,}['’]?[,:.]?\s+[\p{L}'’]{2,}|^\p{Lu}\p{Ll}+([ ,.:…?!]|$)|^[AI] \p{Ll}{2,}/u
const SAID_WITH_HOLES = /\p{L}{2,}/u
const STYLE =
  /var\(--|calc\(|minmax\(|color-mix\(|\dpx|\dem\b|\d(fr|vh|vw|%)\b|^\/|^https?:|^[a-z-]+\/[a-z]|^\.[a-z]|\[[a-z-]+[\]=]/
const KEYS = new Set(
  'Enter Escape Tab Backspace Delete Home End Space ArrowUp ArrowDown ArrowLeft ArrowRight'.split(' '),
)
const HEADERS = /^(Accept|Content-Type|Idempotency-Key|Authorization|X-[\w-]+|Kitlane-[\w-]+|Kitlane|Stripe)$/
// Attributes that nobody reads.
const SILENT =
  /^(className|style|classNames|styles|to|href|src|path|id|name|type|role|rel|target|size|color|variant|key|value|method|action|autoComplete|inputMode|gap|justify|align|position|mode|radius|d|fill|stroke|viewBox|points|transform|data-.*|aria-(labelledby|describedby|controls|live|current|haspopup)|w|h|p|m|px|py|mx|my|mt|mb|ml|mr|pt|pb|pl|pr|maw|miw|mah|c|fw|fz|ff|ta|tt|lh|display|component|order|span|orientation|underline|wrap|cols|spacing|visibleFrom|hiddenFrom|shape|lang|dir)$/
const SILENT_TAGS = new Set(['Code', 'Kbd', 'code', 'kbd', 'style'])
// What these are called with is no text of a page.
const SILENT_CALLS =
  /^(t|rich|said|useRead|useWrite|useHotkeys|useHotkey|getElementById|querySelector|querySelectorAll|getItem|setItem|removeItem|closest|matches|startsWith|endsWith|includes|split|join|replaceAll|test|addEventListener|removeEventListener|matchMedia|createElement|import|useParams|GET|POST|PATCH|PUT|DELETE)$/

const nameOf = (node: Node | undefined): string => {
  if (!node) return ''
  if (node.type === 'MemberExpression' || node.type === 'StaticMemberExpression') return nameOf(node.property as Node)
  return String(node.name ?? '')
}

const quasisOf = (template: Node): string =>
  (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(HOLE)

const isSaid = (text: string): boolean =>
  !STYLE.test(text) && !KEYS.has(text) && !HEADERS.test(text) && SAID.test(text) && WORD.test(text)

/** Texts of the dashboard that stand in its code without `t()`. Not those that only developers read: what errors are thrown with. */
export function unwrappedWords(source: Source): Literal[] {
  const found: Literal[] = []
  const visit = (node: Node, parent: Node): void => {
    if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression') return
    if ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.source) return
    if (node.type === 'NewExpression' && /Error$|^Intl$|Format$|^RegExp$/.test(nameOf(node.callee as Node))) return
    if (node.type === 'CallExpression' && SILENT_CALLS.test(nameOf(node.callee as Node))) {
      visit(node.callee as Node, node)
      // Values of a message may hold texts of their own.
      for (const argument of node.arguments as Node[])
        if (argument.type !== 'Literal' && argument.type !== 'TemplateLiteral') visit(argument, node)
      return
    }
    if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return
    if (/^TS(As|Satisfies)/.test(node.type)) {
      visit(node.expression as Node, node)
      return
    }
    if (node.type === 'BinaryExpression' && /^[!=]==?$|^in$/.test(String(node.operator))) {
      for (const side of [node.left, node.right] as Node[]) if (side.type !== 'Literal') visit(side, node)
      return
    }
    if (node.type === 'SwitchCase') {
      for (const one of node.consequent as Node[]) visit(one, node)
      return
    }
    if (node.type === 'JSXAttribute' && SILENT.test(nameOf(node.name as Node))) return
    if (node.type === 'JSXElement' && SILENT_TAGS.has(nameOf((node.openingElement as Node).name as Node))) return
    if (node.type === 'TaggedTemplateExpression') return
    if (node.type === 'JSXText') {
      const words = String(node.value).replace(/\s+/g, ' ').trim()
      if (WORD.test(words)) found.push({ node, parent, words })
      return
    }
    if (node.type === 'TemplateLiteral') {
      const words = quasisOf(node)
      const hasHoles = words.includes(HOLE)
      const shown = words.replaceAll(HOLE, ' ')
      if (!STYLE.test(words) && (hasHoles ? SAID_WITH_HOLES.test(shown) && /\s|^\p{Lu}/u.test(words) : isSaid(words)))
        found.push({ node, parent, words })
      for (const one of node.expressions as Node[]) visit(one, node)
      return
    }
    if (node.type === 'Literal') {
      if (typeof node.value === 'string' && isSaid(node.value)) found.push({ node, parent, words: node.value })
      return
    }
    const isProperty = node.type === 'Property'
    for (const [name, value] of Object.entries(node)) {
      if (isProperty && name === 'key' && !node.computed) continue
      // What a choice is sent as; what is read of it is its label.
      if (isProperty && name === 'value' && nameOf(node.key as Node) === 'value' && (value as Node).type === 'Literal')
        continue
      if (isNode(value)) visit(value, node)
      else if (Array.isArray(value)) for (const one of value.filter(isNode)) visit(one, node)
    }
  }
  const program = programOf(source)
  visit(program, program)
  return found
}

/** The texts that `t()` and `rich()`, or other calls, have first, and where they have something else. */
export function saidTexts(source: Source, calls = /^(t|rich)$/): { texts: string[]; others: string[] } {
  const { path, text } = source
  const texts: string[] = []
  const others: string[] = []
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && calls.test(String((node.callee as Node).name ?? ''))) {
      const [first] = node.arguments as Node[]
      if (first?.type === 'Literal') texts.push(String(first.value))
      else if (first?.type === 'TemplateLiteral' && (first.expressions as Node[]).length === 0)
        texts.push(quasisOf(first))
      else others.push(`${path}:${text.slice(0, node.start).split('\n').length}`)
    }
    for (const value of Object.values(node)) {
      if (isNode(value)) visit(value)
      else if (Array.isArray(value)) value.filter(isNode).forEach(visit)
    }
  }
  visit(programOf(source))
  return { texts, others }
}
