import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: 'ops/prometheus', encoding: 'utf8' })

describe('every alert', () => {
  // Debian's package `prometheus` has it.
  it.runIf(promtool('--version').status === 0)('fires and keeps quiet as promtool sees it', () => {
    for (const args of [
      ['test', 'rules', 'alerts.test.yaml'],
      ['check', 'rules', 'alerts.yaml'],
    ]) {
      const { status, stdout, stderr } = promtool(...args)
      expect([status, stdout], stderr).toEqual([0, expect.stringContaining('SUCCESS')])
    }
  })
})
