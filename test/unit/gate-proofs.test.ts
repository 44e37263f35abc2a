import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { dependsOn, dueOf } from '../../prove/due.ts'
import { gateProofs, nightlyProofs } from '../../prove/proofs.ts'
import { rightAt } from '../../prove/right-at.ts'
import { machineCpuS, tableOf } from '../../prove/steps.ts'
import { read, trackedFiles } from '../harness/sources.ts'
import { leftOut, sqlTests } from '../harness/sql-tests.ts'

const four = ['crash', 'webhooks', 'keys', 'backup'].map((name) => ({
  name,
  short: [],
  files: [`src/${name}/**`],
}))
const changed = (...files: string[]) => ({ changesFor: () => ({ files, since: 'since a1b2c3d4' }) })
const namesOf = (due: ReturnType<typeof dueOf>) => due.map(({ proof }) => proof.name)

describe('the proofs', () => {
  it('are all in the gate, or in the nightly workflow only, with the reason', () => {
    const scripts = Object.keys(manifest.scripts).filter((name) => /^prove:(?!all$|table$)/.test(name))
    const listed = [...gateProofs, ...nightlyProofs].map(({ name }) => `prove:${name}`)
    expect(listed.toSorted()).toEqual(scripts.toSorted())
    for (const { because } of nightlyProofs) expect(because).toMatch(/\w+ \w+ \w+/)
  })

  it('put each of their mistakes into a place that the source has once', () => {
    const proofs = read(trackedFiles().filter((path) => /^prove\/.*\.ts$/.test(path)))
    const mistakes = proofs.flatMap(({ text }) => [
      ...text.matchAll(/file: '(src\/[^']+)',\s+(?:\/\/.*\s+)?from: (['`])(.+)\2,\n/g),
    ])
    expect(mistakes.length).toBeGreaterThan(10)
    for (const [, file = '', , from = ''] of mistakes) {
      const source = read([file])[0]?.text ?? ''
      expect(source.split(from.replaceAll('\\n', '\n')), `${file} has ${from}`).toHaveLength(2)
    }
  })

  it('are those of the table in docs/proofs.md that says whether the gate runs them', () => {
    const page = read(['docs/proofs.md'])[0]?.text ?? ''
    const rows = [...page.matchAll(/^\| `prove:([\w-]+)` \|.*\| (yes|no) \|$/gm)].map(([, name, gate]) => [name, gate])
    expect(rows).toHaveLength(gateProofs.length + nightlyProofs.length)
    for (const { name } of gateProofs) expect(rows).toContainEqual([name, 'yes'])
    for (const { name } of nightlyProofs) expect(rows).toContainEqual([name, 'no'])
  })

  const tracked = trackedFiles()
  it.each(gateProofs)('$name depends on files that exist', (proof) => {
    for (const glob of proof.files) {
      const only = { name: 'no-such-proof', short: [], files: [glob] }
      expect(
        tracked.some((path) => dependsOn(only, path)),
        glob,
      ).toBe(true)
    }
  })

  const ofTests = gateProofs.filter(({ tests }) => tests)

  it('that are tests run files that exist, whole, and depend on them', () => {
    const scripts: Readonly<Record<string, string>> = manifest.scripts
    for (const proof of ofTests) {
      expect(scripts[`prove:${proof.name}`]).toMatch(new RegExp(`^([A-Z]+=\\w+ )?node prove/tests\\.ts ${proof.name}$`))
      expect(proof.short).toEqual([])
      for (const path of proof.tests ?? []) {
        expect(tracked).toContain(path)
        expect(dependsOn(proof, path)).toBe(true)
      }
    }
    expect(ofTests.map(({ name }) => name)).toEqual([
      ...['inputs', 'matrices', 'values', 'scenarios', 'pages', 'faults', 'pictures', 'starts'],
    ])
  })

  it('that are tests have each file once, so that a proof which is due takes it from no other', () => {
    const files = ofTests.flatMap(({ tests = [] }) => tests)
    expect(files.toSorted()).toEqual([...new Set(files)].toSorted())
  })

  it('of a recorded commit are proofs', () => {
    const names = [...gateProofs, ...nightlyProofs].map(({ name }) => name)
    for (const name of Object.keys(rightAt())) expect(names).toContain(name)
  })
})

describe('the gate', () => {
  it('runs the proofs whose files changed, and says which file', () => {
    const due = dueOf(four, { ...changed('src/keys/rotate.ts', 'src/keys/jobs.ts', 'docs/backup.md'), commits: 0 })
    expect(due.find(({ proof }) => proof.name === 'keys')?.because).toBe(
      'src/keys/rotate.ts and 1 more changed since a1b2c3d4',
    )
  })

  it('runs a proof whose own program changed', () => {
    expect(namesOf(dueOf(four, { ...changed('prove/backup/servers.ts'), commits: 0 }))).toContain('backup')
    expect(namesOf(dueOf(four, { ...changed('prove/backup.ts'), commits: 0 }))).toContain('backup')
  })

  it('runs two more by turns, so that each comes round within a few commits', () => {
    const turns = [0, 1, 2].map((commits) => namesOf(dueOf(four, { ...changed(), commits })))
    expect(turns).toEqual([
      ['crash', 'webhooks'],
      ['keys', 'backup'],
      ['crash', 'webhooks'],
    ])
    const all = new Set(
      Array.from({ length: gateProofs.length }, (_, commits) =>
        namesOf(dueOf(gateProofs, { ...changed(), commits })),
      ).flat(),
    )
    expect(all.size).toBe(gateProofs.length)
  })

  it('gives a turn to none that runs anyway', () => {
    expect(namesOf(dueOf(four, { ...changed('src/crash/a.ts'), commits: 0 }))).toEqual(['crash', 'webhooks', 'keys'])
  })

  it('runs all where nobody knows what changed', () => {
    const changesFor = () => ({ files: undefined, since: 'this clone has no whole history' })
    expect(namesOf(dueOf(four, { changesFor, commits: 5 }))).toEqual(namesOf(dueOf(four, { changesFor, commits: 6 })))
    expect(dueOf(four, { changesFor, commits: 5 })).toHaveLength(4)
  })
})

describe('what a step took', () => {
  it('counts the CPU of the machine, without the time that it waits and without that of guests twice', () => {
    expect(machineCpuS('cpu  100 20 30 4000 500 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1')).toBe(1.63)
    expect(machineCpuS('nothing of this kind')).toBeUndefined()
  })

  it('is a line of a table, whose last line is all of them together', () => {
    const table = tableOf([
      { name: 'npm ci', right: true, wallS: 30.04, cpuS: 12 },
      { name: 'prove:crash', right: false, wallS: 64.96, cpuS: 50.5, seed: '77' },
    ])
    expect(table.split('\n')).toEqual([
      'step         result  wall s  CPU s  seed',
      'npm ci       right     30.0   12.0',
      'prove:crash  MISSED    65.0   50.5  77',
      'together     MISSED    95.0   62.5',
    ])
    const beside = { right: true, wallS: 40, isBeside: true as const }
    const together = [
      { name: 'two', right: true, wallS: 60, cpuS: 70 },
      { name: 'a', ...beside },
      { name: 'b', ...beside },
    ]
    expect(tableOf(together).split('\n').slice(1)).toEqual([
      'two       right     60.0   70.0',
      'a         right     40.0',
      'b         right     40.0',
      'together  right     60.0   70.0',
    ])
    expect(tableOf([{ name: 'a', right: true, wallS: 1 }])).toMatch(/together +right +1\.0 +\?$/)
  })
})

it('the nightly workflow runs every proof in its own length, and the matrices whole', () => {
  const [workflow] = read(['.github/workflows/nightly.yml'])
  const { jobs } = parse(workflow?.text ?? '')
  const { shard } = jobs.proofs.strategy.matrix
  expect(shard).toEqual([1, 2, 3])
  const commands = jobs.proofs.steps.map(({ run }: { run?: string }) => run)
  expect(commands).toContain(`npm run prove:all -- --install --shard \${{ matrix.shard }}/${shard.length}`)
  expect(jobs.tests.steps.map(({ run }: { run?: string }) => run)).toEqual(
    expect.arrayContaining(['npm run test:all', 'npm run test:postgres-15']),
  )
})

describe('PostgreSQL 15', () => {
  const files = trackedFiles().filter((path) => path.startsWith('test/database/'))

  it('runs the tests of SQL: a file that it leaves out exists, once', () => {
    const names = Object.values(leftOut).flat()
    expect(names.filter((name) => !files.includes(`test/database/${name}.test.ts`))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(sqlTests().filter((path) => path.startsWith('test/database/'))).toHaveLength(files.length - names.length)
  })

  it('runs what stands in the database itself', () => {
    const own = ['audit-partitions', 'dump', 'migrations', 'restored', 'row-security']
    const servers = ['backup', 'install', 'node-login', 'outage', 'pgbouncer', 'replica', 'roles']
    expect(sqlTests()).toEqual(
      expect.arrayContaining([
        ...own.map((name) => `test/database/${name}.test.ts`),
        ...servers.map((name) => `test/process/${name}.test.ts`),
      ]),
    )
  })
})
