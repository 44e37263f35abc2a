import { describe, expect, it } from 'vitest'
import { importsOf, read, type Source, trackedFiles, withoutComments } from '../harness/sources.ts'

// Each limit is the aim of docs/decisions/0037, or where the house stands while it misses that aim: then it may only fall.

const sources = (folders: string): Source[] =>
  read(trackedFiles().filter((path) => new RegExp(`^(${folders})/.*\\.tsx?$`).test(path) && !path.endsWith('.gen.ts')))
const src = sources('src')
const program = sources('src|display|packages/lab-reader/src')
const everything = sources('src|display|packages|web|test|bench|prove|deploy|client|\\.ci')
const lines = ({ text }: Source): number => text.split('\n').length - 1
const lineCount = (text: string): number => text.split('\n').length
const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0)

/** `<file>#<name>` of each exported function. */
const exported = (files: readonly Source[]): string[] =>
  files.flatMap(({ path, text }) =>
    [
      ...withoutComments(text).matchAll(
        /^export (?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=\n]+)? = (?:async )?(?:<|\(|\w+ =>))/gm,
      ),
    ].map(([, declared, assigned]) => `${path}#${declared ?? assigned}`),
  )

/** The files that use each exported function, by its name. */
function usersOf(files: readonly Source[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const use = (what: string, path: string) => users.set(what, (users.get(what) ?? new Set()).add(path))
  for (const source of files) {
    const targets = new Map(importsOf(source).map(({ specifier, to }) => [specifier, to]))
    for (const [, named, whole, specifier = ''] of withoutComments(source.text).matchAll(
      /^(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*\s+as\s+(\w+))\s+from\s+'([^']+)'/gm,
    )) {
      const to = targets.get(specifier)
      for (const name of named?.split(',') ?? []) use(`${to}#${name.trim().split(/\s+/).at(0)}`, source.path)
      if (!whole) continue
      for (const [, name] of source.text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g')))
        use(`${to}#${name}`, source.path)
    }
  }
  return users
}

describe('the size of the house', () => {
  it('has at most 1,300 files and 107,000 lines in src', () => {
    const counted = { files: src.length, lines: sum(src.map(lines)) }
    expect(counted.files).toBeLessThanOrEqual(1300)
    expect(counted.lines).toBeLessThanOrEqual(107_000)
    expect(counted.files).toBeGreaterThan(500)
  })

  it('spends at most 8.1 % of its lines on imports', () => {
    const imported = ({ text }: Source) =>
      sum([...text.matchAll(/^import[\s\S]*?'[^'\n]*'$/gm)].map(([one]) => lineCount(one)))
    const share = sum(program.map(imported)) / sum(program.map(lines))
    expect(share).toBeLessThanOrEqual(0.081)
    expect(share).toBeGreaterThan(0.02)
  })

  it('exports at most 3,100 functions, of which at most 65 % have a single file that uses them', () => {
    const all = exported(src)
    const users = usersOf(everything)
    const single = all.filter((name) => (users.get(name)?.size ?? 0) <= 1)
    expect({ all: all.length <= 3100, share: single.length / all.length <= 0.65 }).toEqual({ all: true, share: true })
    expect(single.length).toBeGreaterThan(100)
  })

  it('keeps no generated line in git but the OpenAPI documents, the calls of the clients, the rows and the outline', () => {
    const generated = trackedFiles().filter((path) => /\.gen\.\w+$/.test(path))
    expect(generated.length).toBeLessThanOrEqual(4)
  })

  it('explains itself in at most 72,000 words of docs and 2,000 of ARCHITECTURE', () => {
    const words = (files: readonly Source[]) => sum(files.map(({ text }) => text.split(/\s+/).filter(Boolean).length))
    expect(words(read(trackedFiles().filter((path) => /^docs\/.*\.md$/.test(path))))).toBeLessThanOrEqual(72_000)
    expect(words(read(['ARCHITECTURE.md']))).toBeLessThanOrEqual(2000)
  })
})
