import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { routes } from '../../src/modules/index.ts'
import { prefixes } from '../../src/platform/http/route.ts'
import { conformanceDocument, isFile, isRoute, promises, testFile } from '../harness/conformance.ts'
import { root } from '../harness/sources.ts'
import { testTitles } from '../harness/titles.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const titles = new Map<string, Set<string>>()

/** Whether `file › group › test` is declared in that file. */
function isDeclared(proof: string): boolean {
  const [name = '', ...title] = proof.split(' › ')
  const path = testFile(name)
  if (!path) return false
  const declared = titles.get(path) ?? testTitles(textOf(path))
  titles.set(path, declared)
  return declared.has(title.join(' › '))
}

describe('test/conformance.json', () => {
  it('names a test that exists for every promise', () => {
    expect(promises.length).toBeGreaterThan(400)
    expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([])
    expect(promises.flatMap(({ tests }) => tests).filter((proof) => !isDeclared(proof))).toEqual([])
  })

  it('has every route, and no other', () => {
    const real = routes.map(
      ({ audience, method, path }) => `${method} ${audience === 'operator' ? prefixes.operator : ''}${path}`,
    )
    const named = promises.flatMap(({ where }) => where.filter(isRoute))
    expect(real.filter((route) => !named.includes(route))).toEqual([])
    expect(named.filter((route) => !real.includes(route))).toEqual([])
  })

  it('has every error code, and no other', () => {
    const codes = Object.keys(errorCodes)
    const quoted = promises.flatMap(({ promise }) => [...promise.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
    const named = quoted.filter((text) => /^[A-Z]+(_[A-Z]+)*$/.test(text))
    expect(codes.filter((code) => !named.includes(code))).toEqual([])
    expect(named.filter((code) => !codes.includes(code))).toEqual([])
  })

  it('names files that exist', () => {
    const paths = promises.flatMap(({ where }) => where.filter(isFile))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('would be found wrong', () => {
    const own = 'conformance › test/conformance.json › has every route, and no other'
    expect(isDeclared(own)).toBe(true)
    expect(isDeclared(own.replace('test/conformance.json › ', ''))).toBe(false)
    expect(isDeclared(own.replace('conformance', 'nothing'))).toBe(false)
  })
})

it('npm run conformance lists every promise in tables, each with links to files that exist', () => {
  const page = conformanceDocument()
  expect(page.match(/^\| (?!promise \|)/gm)).toHaveLength(promises.length)
  const links = [...page.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(400)
  expect([...new Set(links)].filter((path) => !existsSync(join(root, path)))).toEqual([])
})
