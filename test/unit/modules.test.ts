import { expect, it } from 'vitest'
import { z } from 'zod'
import { routesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { importsOf, read, trackedFiles } from '../harness/sources.ts'

const tracked = trackedFiles()

const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at)

it('a module is called as its folder is, and no two of them declare the same table, event, tag or part of an export', () => {
  const folders = tracked.flatMap((path) => /^src\/(?:modules|extensions)\/([^/]+)\/module\.ts$/.exec(path)?.[1] ?? [])
  expect(modules.map(({ name }) => name).toSorted()).toEqual(['platform', ...folders].toSorted())
  const named = [
    modules.flatMap(({ tables = {} }) => Object.keys(tables)),
    modules.flatMap(({ events = {} }) => Object.keys(events)),
    modules.flatMap(({ tags = {} }) => Object.keys(tags)),
    modules.flatMap(({ person }) => Object.keys(person?.exports ?? {})),
  ]
  expect(named.flatMap(twice), 'declared by two modules').toEqual([])
})

it('a module with times that move has a advanceClock', () => {
  const moving = modules.filter(({ tables = {} }) =>
    Object.values(tables).some(({ times = {} }) => Object.values(times).some(({ is }) => is === 'moves')),
  )
  expect(moving.length).toBeGreaterThan(5)
  expect(moving.filter(({ sandbox }) => !sandbox?.advanceClock).map(({ name }) => name)).toEqual([])
})

it('a module whose tables lose something when a person is erased says how in person.erase, or privacy does it', () => {
  const [erasure, purge] = read(['src/modules/privacy/erase.ts', 'src/modules/privacy/scrub-events.ts'])
  const known = [erasure, purge].flatMap((file) =>
    file ? importsOf(file).map(({ to }) => /^src\/modules\/([^/]+)\//.exec(to)?.[1] ?? 'platform') : [],
  )
  const losing = modules.filter(({ tables = {} }) =>
    Object.values(tables).some(({ people }) => /deleted|emptied|taken out/.test(people?.erasure ?? '')),
  )
  expect(losing.length).toBeGreaterThan(10)
  expect(losing.filter(({ name, person }) => !person?.erase && !known.includes(name)).map(({ name }) => name)).toEqual(
    [],
  )
})

// How answers call what says who a person tested is.
const SAYS_WHO = /^(recipient(Email|Name|FirstName|Phone)|dateOfBirth|customerI[Dd])$/
const fieldsOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...own, ...Object.values(schema).flatMap(fieldsOf)]
}

it('an answer that shows who a person is, to a read or a write, declares it in `accesses` of its route, or is named here', () => {
  const silent = routesOf(modules).filter(
    ({ accesses, answers = {} }) =>
      !accesses &&
      Object.values(answers).some(
        (answer) =>
          answer instanceof z.ZodType &&
          fieldsOf(z.toJSONSchema(answer, { io: 'input', unrepresentable: 'any' })).some((name) => SAYS_WHO.test(name)),
      ),
  )
  const named = [
    // They write an entry of their own.
    ...['exportCustomer', 'listAccessesOfCustomer', 'listCustomerAccesses'],
    // They answer with what their caller has just sent.
    ...['createCustomer', 'createCustomerAlias', 'createPlan', 'registerKit'],
    // The number of the customer alone, whom the caller named, or to the person who sets holds.
    ...['eraseCustomer', 'grantErasure', 'liftLegalHold', 'listLegalHolds', 'setLegalHold'],
  ]
  expect(silent.map(({ id }) => id).toSorted()).toEqual(named.toSorted())
})
