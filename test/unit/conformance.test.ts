import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { routes } from '../../src/modules/index.ts'
import { prefixes } from '../../src/platform/http/route.ts'
import { testTitles } from '../harness/titles.ts'

const at = (path: string) => new URL(`../../${path}`, import.meta.url)

interface Row {
  promise: string
  where: string
  proof: string
}

/** The rows of every table of the page. */
function rowsOf(page: string): Row[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
  return lines.map((line) => {
    const cells = line.slice(1, -1).split(/(?<!\\)\|/)
    const [promise = '', where = '', proof = ''] = cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
    if (cells.length !== 3 || !promise || !where || !proof) throw new Error(`no row of three cells: ${line}`)
    return { promise, where, proof }
  })
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner)
const isOpen = ({ proof }: Row) => /^not yet: step \d+$/.test(proof)

const routesIn = (some: Row[]) =>
  some.flatMap(({ where }) => quoted(where)).filter((text) => /^(GET|POST|PATCH|DELETE) \//.test(text))

const rows = rowsOf(readFileSync(at('docs/conformance.md'), 'utf8'))
const titles = new Map<string, Set<string>>()

/** Whether `file › group › test` is declared in that file. */
function isDeclared(proof: string): boolean {
  const [file = '', ...title] = proof.split(' › ')
  const path = ['unit', 'database', 'process', '.'].map((folder) => at(`test/${folder}/${file}`)).find(existsSync)
  if (!/^(browser\/)?[\w-]+\.test\.ts$/.test(file) || !path) return false
  const declared = titles.get(file) ?? testTitles(readFileSync(path, 'utf8'))
  titles.set(file, declared)
  return declared.has(title.join(' › '))
}

describe('docs/conformance.md', () => {
  it('names a test that exists for every promise, or the step that will keep it', () => {
    expect(rows.length).toBeGreaterThan(200)
    const proofs = rows.filter((row) => !isOpen(row)).flatMap(({ proof }) => proof.split('<br>'))
    expect(proofs.filter((proof) => !isDeclared(proof))).toEqual([])
  })

  it('has every route, and no other', () => {
    const real = routes.map(
      ({ audience, method, path }) => `${method} ${audience === 'operator' ? prefixes.operator : ''}${path}`,
    )
    const named = routesIn(rows)
    const kept = routesIn(rows.filter((row) => !isOpen(row)))
    expect(real.filter((route) => !named.includes(route))).toEqual([])
    expect(kept.filter((route) => !real.includes(route))).toEqual([])
  })

  it('has every error code, and no other', () => {
    const codes = Object.keys(errorCodes)
    const named = rows.flatMap(({ promise }) => quoted(promise)).filter((text) => /^[A-Z]+(_[A-Z]+)*$/.test(text))
    expect(codes.filter((code) => !named.includes(code))).toEqual([])
    expect(named.filter((code) => !codes.includes(code))).toEqual([])
  })

  it('names files that exist', () => {
    const files = rows.filter((row) => !isOpen(row)).flatMap(({ where }) => quoted(where))
    const paths = files.filter((text) => !/^[A-Z]+ \//.test(text))
    expect(paths.filter((path) => !existsSync(at(path)))).toEqual([])
  })

  it('would be found wrong', () => {
    const source = readFileSync(at('test/unit/conformance.test.ts'), 'utf8')
    expect([...testTitles(source)]).toContain('docs/conformance.md › has every route, and no other')
    expect(isDeclared('conformance.test.ts › docs/conformance.md › has every route, and no other')).toBe(true)
    expect(isDeclared('conformance.test.ts › has every route, and no other')).toBe(false)
    expect(isDeclared('nothing.test.ts › has every route, and no other')).toBe(false)
  })
})
