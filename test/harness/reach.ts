import { type Source, withoutComments } from './sources.ts'

/** A top-level declaration of a source file: `src/modules/orders/cancel.ts#cancelOrder`. */
type Name = string

export interface Reached {
  name: Name
  /** Its text, without comments. */
  text: string
}

const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|let|class) (\{[^}]*\}|\[[^\]]*\]|\w+)/gm
const IMPORT = /^import (?:type )?(?:\* as (\w+)|\{([^}]*)\})\s+from\s+'(\.[^']+)'/gm
const REEXPORT = /^export \{([^}]*)\} from '(\.[^']+)'/gm

/** The names that a declaration declares: `a`, or each of `{ a, there: b }`. */
const namesOf = (declared: string): string[] => [...declared.matchAll(/(\w+)(?!\w|\s*:)/g)].map(([name]) => name)

/** The names of what a file exports. */
export const exportedNames = (text: string): string[] =>
  [...text.matchAll(DECLARATION)].flatMap(([start, names = '']) => (start.startsWith('export') ? namesOf(names) : []))

interface File {
  declared: Map<string, string>
  /** What a local name stands for. */
  imported: Map<string, Name>
  /** Imported as a whole: the file. */
  whole: Map<string, string>
}

const targetOf = (from: string, specifier: string) => new URL(specifier, `file:///${from}`).pathname.slice(1)

/** `a, b as c` as pairs of the name there and the name here. */
const named = (list: string) =>
  list.split(',').flatMap((one) => {
    const [there = '', here = there] = one
      .trim()
      .replace(/^type /, '')
      .split(' as ')
    return there ? [[there, here] as const] : []
  })

function parse({ path, text }: Source): File {
  const code = withoutComments(text)
  const imported = new Map<string, Name>()
  const whole = new Map<string, string>()
  for (const [, all, list = '', specifier = ''] of code.matchAll(IMPORT)) {
    const target = targetOf(path, specifier)
    if (all) whole.set(all, target)
    for (const [there, here] of named(list)) imported.set(here, `${target}#${there}`)
  }
  const declared = new Map<string, string>()
  for (const [, list = '', specifier = ''] of code.matchAll(REEXPORT)) {
    for (const [there, here] of named(list)) {
      imported.set(here, `${targetOf(path, specifier)}#${there}`)
      declared.set(here, here)
    }
  }
  const starts = [...code.matchAll(DECLARATION)]
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1]?.index ?? code.length
    for (const name of namesOf(start[1] ?? '')) declared.set(name, code.slice(start.index, end))
  }
  return { declared, imported, whole }
}

/** Code without what it says in words; what is put into a text stays. */
const withoutTexts = (code: string): string =>
  code
    .replace(/`(?:[^`\\]|\\.)*`/g, (text) => [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, put]) => put).join(' '))
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")

/** What a declaration of the sources calls or names, and what that does, and so on, itself included. */
export function reachIn(sources: readonly Source[]): (start: Name) => Reached[] {
  const files = new Map(sources.map((file) => [file.path, parse(file)]))

  const known = new Map<Name, Name[]>()
  function next(name: Name): Name[] {
    const found = known.get(name) ?? namesIn(name)
    known.set(name, found)
    return found
  }

  function namesIn(name: Name): Name[] {
    const [path = '', own = ''] = name.split('#')
    const file = files.get(path)
    const text = file?.declared.get(own)
    if (!file || text === undefined) return []
    const named = [...withoutTexts(text).matchAll(/(?<![.\w'])([A-Za-z_]\w*)(?:\.(\w+))?/g)].flatMap(
      ([, word = '', member]) => {
        const all = file.whole.get(word)
        if (all) return member ? [`${all}#${member}`] : []
        const other = file.imported.get(word)
        if (other) return [other]
        return word !== own && file.declared.has(word) ? [`${path}#${word}`] : []
      },
    )
    return [...new Set(named)]
  }

  return (start) => {
    const seen = new Set<Name>([start])
    for (const name of seen) for (const one of next(name)) seen.add(one)
    return [...seen].flatMap((name) => {
      const [path = '', own = ''] = name.split('#')
      const text = files.get(path)?.declared.get(own)
      return text === undefined ? [] : [{ name, text }]
    })
  }
}
