import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../harness/sources.ts'

const FILE = 'src/cli/program.ts'
const SENTENCE = 'Kitlane runs ordering, tracking and results of health test kits on your own machine.'
const CHANGED = 'Kitlane runs what was changed a moment ago.'

let checkout: string
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'kitlane-compiled-'))
  for (const path of [
    'bin',
    'client/src',
    'deploy',
    'display',
    'package.json',
    'packages/lab-reader/src',
    'src',
    'tsconfig.json',
  ])
    cpSync(join(root, path), join(checkout, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
})
afterAll(() => rmSync(checkout, { recursive: true }))

const help = (env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(process.execPath, [join(checkout, 'bin/kitlane.js'), '--help'], { cwd: checkout, encoding: 'utf8', env })
const forms = () => readdirSync(join(checkout, '.compiled')).toSorted()

function change(from: string, to: string): void {
  const path = join(checkout, FILE)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(from, () => to),
  )
}

describe('a command of a checkout', () => {
  test('runs what its sources compile to, at once after each change, and a form made before where they are as before', () => {
    const before = help()
    expect(before.stdout.replace(/\s+/g, ' ')).toContain(SENTENCE)
    const [form] = forms()
    expect(forms()).toEqual([form])

    change(SENTENCE, CHANGED)
    expect(help().stdout).toContain(CHANGED)
    expect(forms()).toHaveLength(2)

    change(CHANGED, SENTENCE)
    expect(help().stdout).toBe(before.stdout)
    expect(forms()).toHaveLength(2)
  })

  test('holds nothing of the compiler in memory where it compiles first', () => {
    change(SENTENCE, 'Kitlane runs what is compiled by another process.')
    const loaded = `process.argv[1].endsWith('kitlane.js') && process.on('exit', () =>
      console.error('holds', process.report.getReport().sharedObjects.filter((path) => path.includes('rolldown')).length))`
    const { stderr } = help({
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(loaded)}`,
    })
    change('Kitlane runs what is compiled by another process.', SENTENCE)
    expect(stderr).toBe('holds 0\n')
    expect(forms()).toHaveLength(3)
  })

  test('whose sources do not compile says where, and runs nothing that was made before', () => {
    change('new Command(', 'new new Command((')
    const { status, stdout, stderr } = help()
    change('new new Command((', 'new Command(')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(FILE)
  })

  test('runs the sources themselves where the development packages are missing', () => {
    const packages = join(checkout, 'node_modules')
    rmSync(packages)
    mkdirSync(packages)
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== 'rolldown') symlinkSync(join(root, 'node_modules', name), join(packages, name))
    rmSync(join(checkout, '.compiled'), { recursive: true })
    const { stdout, stderr } = help()
    expect([stdout.replace(/\s+/g, ' '), stderr]).toEqual([expect.stringContaining(SENTENCE), ''])
    expect(forms()).toEqual([])
  })
})
