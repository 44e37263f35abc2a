import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dateChangelog, raiseClient, raisePython } from '../../.ci/date-changelog.ts'
import manifest from '../../package.json' with { type: 'json' }
import { read } from '../harness/sources.ts'

const changelog = read(['CHANGELOG.md'])[0]?.text ?? ''
const headings = changelog.match(/^## .*$/gm) ?? []

it('the changelog has an "Unreleased" section, then one for each version with its date, newest first', () => {
  const [first, ...released] = headings
  expect(first).toBe('## Unreleased')
  for (const heading of released) expect(heading).toMatch(/^## \d+\.\d+\.\d+ - 20\d\d-\d\d-\d\d$/)
  const dates = released.map((heading) => heading.slice(-10))
  expect(dates).toEqual([...dates].sort().reverse())
  if (released.length > 0) expect(released[0]).toContain(`## ${manifest.version} - `)
})

it('a release dates what was unreleased and leaves the rest as it is', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n\n## 0.1.0 - 2026-11-20\n\n- The first.\n'
  const after =
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n- A thing.\n\n## 0.1.0 - 2026-11-20\n\n- The first.\n'
  expect(dateChangelog(before, '0.2.0', '2026-12-01')).toBe(after)
})

it('a release of nothing is refused', () => {
  const nothing = '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-20\n\n- The first.\n'
  expect(() => dateChangelog(nothing, '0.2.0', '2026-12-01')).toThrow('nothing to release')
  expect(() => dateChangelog('# Changelog\n\n## Unreleased\n', '0.2.0', '2026-12-01')).toThrow('nothing to release')
})

it('gives the Python client the version of the server', () => {
  const text = readFileSync(new URL('../../client-python/pyproject.toml', import.meta.url), 'utf8')
  expect(raisePython(text, manifest.version)).toBe(text)
  expect(raisePython(text, '9.8.7')).toBe(text.replace(`version = "${manifest.version}"`, 'version = "9.8.7"'))
  expect(raisePython(text, '9.8.7')).not.toBe(text)
})

it('gives the client the version of the server, in its package and in the lock file', () => {
  for (const name of ['client/package.json', 'package-lock.json']) {
    const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
    expect(raiseClient(text, manifest.version)).toBe(text)
    const { packages, version } = JSON.parse(raiseClient(text, '9.8.7'))
    expect(packages?.client.version ?? version).toBe('9.8.7')
  }
})
