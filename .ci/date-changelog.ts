// `npm version` runs this. It moves what CHANGELOG.md has under "Unreleased" to the new version, dated today (UTC).
import { readFileSync, writeFileSync } from 'node:fs'

const HEADING = '## Unreleased\n'

/** @throws Error if there is nothing to release */
export function dateChangelog(changelog: string, version: string, date: string): string {
  const unreleased = changelog.split(HEADING)[1]?.split(/^## /m)[0] ?? ''
  if (!unreleased.trim()) throw new Error('CHANGELOG.md has nothing under "Unreleased": there is nothing to release.')
  return changelog.replace(HEADING, `${HEADING}\n## ${version} - ${date}\n`)
}

if (import.meta.main) {
  const { npm_package_version: version } = process.env
  if (!version) throw new Error('Run this as: npm version <minor or patch> -m "Release %s"')
  const path = new URL('../CHANGELOG.md', import.meta.url)
  writeFileSync(path, dateChangelog(readFileSync(path, 'utf8'), version, new Date().toISOString().slice(0, 10)))
}
