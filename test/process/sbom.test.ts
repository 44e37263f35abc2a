import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../harness/sources.ts'

interface Locked {
  version?: string
  dev?: boolean
  link?: boolean
}
interface Component {
  name: string
  version: string
}

it('npm run sbom lists every package that is shipped, in the form of CycloneDX', async () => {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 2 ** 26 })
  const { bomFormat, components }: { bomFormat: string; components: Component[] } = JSON.parse(stdout)
  expect(bomFormat).toBe('CycloneDX')
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const shipped = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  )
  expect(shipped.length).toBeGreaterThan(100)
  const missing = shipped.filter(
    ([path, { version }]) => !listed.has(`${path.replace(/^.*node_modules\//, '')}@${version}`),
  )
  expect(missing.map(([path]) => path)).toEqual([])
})
