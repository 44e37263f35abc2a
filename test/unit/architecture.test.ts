import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { modules } from '../../src/modules/index.ts'
import { boundaries } from '../harness/boundaries.ts'
import { importCycles } from '../harness/cycles.ts'
import { owners } from '../harness/owners.ts'
import { rules } from '../harness/rules.ts'
import { importsOf, read, type Source, trackedFiles } from '../harness/sources.ts'
import { tablesReadBy, tablesWrittenBy } from '../harness/tables.ts'

const tracked = trackedFiles()
const sources = read(
  tracked.filter((path) => /^(src|client\/src|display|packages\/lab-reader\/src|web\/src)\/.*\.tsx?$/.test(path)),
)

describe('the code keeps the rules of ARCHITECTURE.md:', () => {
  it.each([...rules, ...boundaries])('$sentence', ({ sentence, check }) => {
    const offences = sources.flatMap((file) => check(file, sources))
    expect(offences, `The rule is: ${sentence}`).toEqual([])
  })

  it.each([...rules, ...boundaries])('a file that breaks it is found: $sentence', ({ check, broken, beside }) => {
    expect(check(broken, beside ? [broken, beside] : [broken])).not.toEqual([])
  })

  it('no file imports itself in a circle, not even types', () => {
    expect(importCycles(sources)).toEqual([])
    const knot = [
      { path: 'src/a.ts', text: "import { b } from './b.ts'" },
      { path: 'src/b.ts', text: "import type { A } from './a.ts'" },
    ]
    expect(importCycles(knot)).toEqual(['src/a.ts → src/b.ts → src/a.ts'])
  })

  it('the imports were really read', () => {
    expect(sources.length).toBeGreaterThan(100)
    const read = sources.flatMap(importsOf)
    const statements = sources.reduce((sum, { text }) => sum + (text.match(/^import .*/gm)?.length ?? 0), 0)
    expect(read.length).toBeGreaterThanOrEqual(statements)
    expect(read.some(({ to }) => to === 'src/platform/database/tx.ts')).toBe(true)
  })

  it('every file that is imported exists', () => {
    // Git keeps no types that are generated.
    const known = new Set([...tracked, 'client/src/schema.gen.ts'])
    const missing = sources
      .flatMap(importsOf)
      .filter(({ to, specifier }) => specifier.startsWith('.') && !known.has(to))
    expect(missing).toEqual([])
  })
})

const folderOf = (module: string) =>
  tracked.some((path) => path.startsWith(`src/extensions/${module}/`)) ? `extensions/${module}` : `modules/${module}`

describe('every table has one owner:', () => {
  const [schema] = read(['src/platform/database/schema.gen.ts'])
  const tables = [...(schema?.text.split('export interface DB {')[1] ?? '').matchAll(/^ {2}(\w+):/gm)].map(
    ([, name]) => name,
  )

  it('the modules declare every table of the database, each once', () => {
    expect(tables.length).toBeGreaterThan(50)
    const declared = modules.flatMap(({ tables = {} }) => Object.keys(tables))
    expect(declared.toSorted()).toEqual(tables.toSorted())
  })

  it('every file that they name exists', () => {
    const files = Object.values(owners).flatMap(({ module, written, readAlsoBy }) => [
      ...(written.match(/[\w/-]+\.ts\b/g) ?? []).map((file) =>
        module === 'platform' ? `platform/${file}` : `${folderOf(module)}/${file}`,
      ),
      ...Object.keys(readAlsoBy).map((file) => `modules/${file}`),
    ])
    expect(files.filter((file) => !tracked.includes(`src/${file}`))).toEqual([])
  })

  it.each([
    'sql`\n  insert into kits (id) values (1)`',
    'sql`update kits k set seq = 1`',
    'sql`with old as (delete from only kits returning id) select 1`',
    'sql`merge into kits k using orders o on true when matched then delete`',
    "statement('kits_touch', 'UPDATE kits SET seq = $1')",
    "db.insertInto('kits').values({})",
    "db.deleteFrom('kits as k')",
    "for (const table of ['kits'] as const) await tx.run(sql`update $" + '{sql.table(table)} set seq = 1`)',
  ])('a write is found: %s', (text) => {
    expect(tablesWrittenBy({ path: 'src/modules/orders/queries.ts', text })).toContain('kits')
  })

  it.each([
    'sql`select 1 from orders o join kits k on true`',
    "db.selectFrom('orders').innerJoin('kits as k', 'k.id', 'o.id')",
    "const where = { table: 'kits' }\nsql`select 1 from $" + '{sql.table(where.table)}`',
  ])('a read is found: %s', (text) => {
    const file = { path: 'src/modules/orders/queries.ts', text }
    expect(tablesReadBy(file)).toContain('kits')
    expect(tablesWrittenBy(file)).toEqual([])
  })

  it('every exception is needed still', () => {
    const reads = (path: string, table: string) =>
      sources.some((file) => file.path === `src/modules/${path}` && tablesReadBy(file).includes(table))
    const exceptions = Object.entries(owners).flatMap(([table, { readAlsoBy }]) =>
      Object.keys(readAlsoBy).map((file) => ({ table, file })),
    )
    expect(exceptions.filter(({ table, file }) => !reads(file, table))).toEqual([])
  })
})

const withoutReason = (document: string, names: readonly string[]) => {
  const named = (line: string, name: string) => line.split(/[^\w@/.-]+/).includes(name) && /\w+\W+\w+/.test(line)
  return names.filter((name) => !document.split('\n').some((line) => named(line, name)))
}

it('every dependency is named in docs/dependencies.md with its reason', () => {
  const [page] = read(['docs/dependencies.md'])
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]
  const message = 'Add its name and the reason for it to docs/dependencies.md'
  expect(withoutReason(page?.text ?? '', names), message).toEqual([])
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
  const isInProject = (path: string) => /^test\/(unit|database|integrations|process|browser)\//.test(path)
  const files = tracked.filter((path) => path.endsWith('.test.ts'))
  const message =
    'Move it to test/unit, test/database, test/integrations, test/process or test/browser: CONTRIBUTING.md says which'
  expect(files.length).toBeGreaterThan(80)
  expect(
    read(files.filter((path) => !isInProject(path))).map(({ path }) => path),
    message,
  ).toEqual([])
  expect(isInProject('test/kits.test.ts')).toBe(false)
})

it('no test of test/unit, test/database or test/integrations starts a process', () => {
  const STARTS = /child_process$|^test\/harness\/(kitlane|chromium)\.ts$|\/client\/stdio\.js$/
  const starts = (source: Source) => importsOf(source).some(({ to, typeOnly }) => !typeOnly && STARTS.test(to))
  const tests = read(tracked.filter((path) => /^test\/(unit|database|integrations)\//.test(path)))
  const message = 'Move it to test/process: CONTRIBUTING.md says why'
  expect(
    tests.filter(starts).map(({ path }) => path),
    message,
  ).toEqual([])
  expect(starts({ path: 'test/database/a.test.ts', text: "import { spawn } from 'node:child_process'" })).toBe(true)
})
