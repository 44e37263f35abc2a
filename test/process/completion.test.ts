import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const kitlane = resolve(import.meta.dirname, '../../bin/kitlane.js')
const scriptFor = async (shell: string) => (await run(process.execPath, [kitlane, 'completion', shell])).stdout

let script: string
beforeAll(async () => {
  script = await scriptFor('bash')
})

/** What a shell offers behind these words. */
async function offered(...words: string[]): Promise<string[]> {
  const asking = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kitlane; printf '%s\\n' "\${COMPREPLY[@]}"`
  return (await run('bash', ['-c', asking, 'bash', 'kitlane', ...words])).stdout.split('\n').filter(Boolean)
}

it('a shell completes commands, those below them, and their options', async () => {
  expect(await offered('or')).toEqual(['orders', 'order'])
  expect(await offered('order', '')).toContain('place')
  expect(await offered('order', 'place', '--m')).toEqual(['--mode'])
  expect(await offered('order', 'place', '--mode', 'live', '--js')).toEqual(['--json'])
})

it('fish gets a line for each command and option, whatever its help says', async () => {
  const lines = (await scriptFor('fish')).trim().split('\n')
  expect(lines.length).toBeGreaterThan(200)
  for (const line of lines)
    expect(line).toMatch(/^complete -c kitlane (-f )?-n '[^']*' (-a|-l) [\w-]+ -d '(?:[^'\\]|\\.)*'$/)
})
