import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const message = (id: string, status: string, value: number) =>
  [
    `MSH|^~\\&|LIS|W|CO|CO|2026030${id}120000||ORU^R01|7${id}|P|2.5.1`,
    'PID|1||W12||VALLE^NORA||19750606|F',
    `OBR|1|A1|F1|X^Panel^L|||20260227070000|||||||||||||||2026030${id}110000|||${status}`,
    `OBX|1|NM|2345-7^Glucose^LN||${value}|mg/dL|70-99|N|||${status}`,
  ].join('\r')

test('kitlane read shows what stands after all messages of a sample, and which one corrected which', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'read-')), 'two.hl7')
  await writeFile(file, [message('1', 'F', 95), message('2', 'C', 89)].join('\r'))
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/kitlane.js', 'read', file])
  expect(stdout).toMatch(/1 read:\s+glucose\s+89 mg\/dL\s.*corrected/)
  expect(stdout).toMatch(/1 waiting for a person:\s+“Glucose”\s+95 mg\/dL .*: message 72 says 89 \(corrected\)/)
})
