import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What became of a test; `failure`: the first line of why it failed. */
export interface Ran {
  /** Its file, groups and name. */
  title: string
  file: string
  failure?: string
}

interface Results {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

/** Runs test files of a checkout by its own runner. A file that cannot be loaded counts as a test that failed. */
export async function runTests(folder: string, files: readonly string[], env: Record<string, string>): Promise<Ran[]> {
  const runner = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  // What the schema breaks may be waited for: a test gives up sooner than where a machine is slow.
  const limits = ['--testTimeout', '120000', '--expect.poll.timeout', '60000']
  const args = [runner, 'run', '--project', 'service', '--maxWorkers', '2', '--reporter', 'json', ...limits]
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await once(child, 'close')
  const { testResults } = read(output)
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(folder, name)
    const tests = assertionResults
      .filter((test) => test.status === 'passed' || test.status === 'failed')
      .map((test): Ran => {
        const title = `${file} › ${test.fullName}`
        return test.status === 'passed'
          ? { title, file }
          : { title, file, failure: firstLine(test.failureMessages?.[0]) }
      })
    const isUnloaded = status === 'failed' && !tests.some(({ failure }) => failure !== undefined)
    return isUnloaded ? [...tests, { title: file, file, failure: firstLine(message) }] : tests
  })
}

/** The configuration of a release says where its results are written, and the runner says it on its output. */
function read(printed: string): Results {
  const path = /JSON report written to (.+)/.exec(printed)?.[1]
  if (path === undefined) throw new Error(`the tests of the release before did not run:\n${printed.slice(-4000)}`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

const firstLine = (text = 'no message'): string => text.split('\n')[0] ?? ''
