import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { rules } from '../harness/rules.ts'
import { importsOf, read, type Source, trackedFiles } from '../harness/sources.ts'

const tracked = trackedFiles()
const sources = read(tracked.filter((path) => /^(src|client\/src)\/.*\.ts$/.test(path)))

describe('the code keeps the rules of ARCHITECTURE.md:', () => {
  it.each(rules)('$sentence', ({ sentence, check }) => {
    expect(sources.flatMap(check), `The rule is: ${sentence}`).toEqual([])
  })

  it.each(rules)('a file that breaks it is found: $sentence', ({ check, broken }) => {
    expect(check(broken)).not.toEqual([])
  })

  it('the imports were really read', () => {
    expect(sources.length).toBeGreaterThan(100)
    const read = sources.flatMap(importsOf)
    const statements = sources.reduce((sum, { text }) => sum + (text.match(/^import .*/gm)?.length ?? 0), 0)
    expect(read.length).toBeGreaterThanOrEqual(statements)
    expect(read.some(({ to }) => to === 'src/platform/database/tx.ts')).toBe(true)
  })

  it('every file that is imported exists', () => {
    const known = new Set(tracked)
    const missing = sources
      .flatMap(importsOf)
      .filter(({ to, specifier }) => specifier.startsWith('.') && !known.has(to))
    expect(missing).toEqual([])
  })
})

const withoutReason = (document: string, names: readonly string[]) => {
  const named = (line: string, name: string) => line.split(/[^\w@/.-]+/).includes(name) && /\w+\W+\w+/.test(line)
  return names.filter((name) => !document.split('\n').some((line) => named(line, name)))
}

it('every dependency is named in ARCHITECTURE.md with its reason', () => {
  const [architecture] = read(['ARCHITECTURE.md'])
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]
  const message = 'Add its name and the reason for it to the dependencies in ARCHITECTURE.md'
  expect(withoutReason(architecture?.text ?? '', names), message).toEqual([])
  expect(withoutReason('| `zod` | shapes |', ['zod', 'left-pad'])).toEqual(['left-pad'])
})

const startsWithComment = ({ text }: Source) => /^\s*(--|\/\*)\s*\S/.test(text)

it('every migration begins with why it is', () => {
  const migrations = read(tracked.filter((path) => /^migrations\/.*\.sql$/.test(path)))
  expect(migrations.length).toBeGreaterThan(0)
  expect(migrations.filter((migration) => !startsWithComment(migration)).map(({ path }) => path)).toEqual([])
  expect(startsWithComment({ path: 'migrations/9999_x.sql', text: 'create table x ();' })).toBe(false)
})

// Written so that this file does not match itself.
const machine = /\bregistry[.]\w+[.]\w+|\/wor[k]\/|[.][.]\/share[d]\b/

it('nothing in the repository names the machine it was made on, or a package registry', () => {
  const texts = read(tracked.filter((path) => !/\.(png|jpg|ico|pdf|woff2?)$/.test(path)))
  const found = texts.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (machine.test(line) ? [`${path}:${index + 1} ${line.slice(0, 200)}`] : [])),
  )
  expect(found).toEqual([])
  expect(machine.test(`see ${['', 'work', 'x'].join('/')}`)).toBe(true)
  expect(machine.test(`"resolved": "https://registry${'.'}npmjs.org/zod"`)).toBe(true)
})

it('every test file is in the folder of a project, whose name runs it', () => {
  const isInProject = (path: string) => /^test\/(unit|database|process|browser)\//.test(path)
  const files = tracked.filter((path) => path.endsWith('.test.ts'))
  const message = 'Move it to test/unit, test/database, test/process or test/browser: CONTRIBUTING.md says which'
  expect(files.length).toBeGreaterThan(80)
  expect(
    read(files.filter((path) => !isInProject(path))).map(({ path }) => path),
    message,
  ).toEqual([])
  expect(isInProject('test/kits.test.ts')).toBe(false)
})
