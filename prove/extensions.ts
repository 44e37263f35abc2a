// Proves that each extension can be removed: npm run prove:extensions -- [--only name] [--inject-fault] [--record]
// Of a copy of the last commit its folder goes, and its line. The rest has to compile, and orders, the person's pages and the erasure
// of people have to work as before. --inject-fault lets the core import one.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const LIST = 'src/extensions/index.ts'
const CORE_TESTS = ['orders', 'portal', 'privacy'].map((name) => `test/database/${name}.test.ts`)

/** The line of each extension, by its folder. */
const lines = new Map(
  readFileSync(join(root, LIST), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const folder = /from '\.\/([\w-]+)\/module\.ts'/.exec(line)?.[1]
      return folder === undefined ? [] : [[folder, line] as const]
    }),
)

function run(folder: string, ...args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) console.error(`${stdout}${stderr}`.split('\n').slice(-60).join('\n'))
  return status === 0
}

const CLIENT_TYPES = 'client/src/schema.gen.ts'

async function without(name: string): Promise<Figure[]> {
  const parent = await mkdtemp(join(tmpdir(), 'kitlane-without-'))
  const folder = join(parent, 'checkout')
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, 'HEAD'], { cwd: root })
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    // Git does not keep it.
    copyFileSync(join(root, CLIENT_TYPES), join(folder, CLIENT_TYPES))
    rmSync(join(folder, 'src/extensions', name), { recursive: true })
    const list = readFileSync(join(folder, LIST), 'utf8')
    writeFileSync(join(folder, LIST), list.replace(`${lines.get(name)}\n`, ''))
    if (values['inject-fault']) {
      const core = join(folder, 'src/modules/orders/placement.ts')
      writeFileSync(core, `import '../../extensions/${name}/module.ts'\n${readFileSync(core, 'utf8')}`)
    }
    writeFileSync(join(folder, 'tsconfig.service.json'), '{ "extends": "./tsconfig.json", "include": ["src"] }')
    const compiles = run(folder, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.service.json')
    const works = compiles && run(folder, 'node_modules/vitest/vitest.mjs', 'run', ...CORE_TESTS)
    return [
      { name: `without ${name}, the service compiles`, actual: Number(compiles), expected: 1 },
      {
        name: `without ${name}, ${CORE_TESTS.length} files of tests of the core pass`,
        actual: Number(works),
        expected: 1,
      },
    ]
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root })
    await rm(parent, { recursive: true, force: true })
  }
}

const figures: Figure[] = []
for (const name of values.only === undefined ? lines.keys() : [values.only]) figures.push(...(await without(name)))
report(figures)
if (values.record) {
  const mistake = values['inject-fault'] ? 'the core imports an extension' : undefined
  record('extensions', { promises: [], figures, mistake })
}
