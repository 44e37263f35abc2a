import { describe, expect, it } from 'vitest'
import * as extensions from '../../src/extensions/index.ts'
import { type Module, routesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { named } from '../../src/platform/settings.ts'
import { declared } from '../../src/settings.ts'
import { read, trackedFiles, withoutComments } from '../harness/sources.ts'

const sources = read(
  trackedFiles().filter((path) => /^(src|web\/src)\/.*\.tsx?$/.test(path) && !/\.gen\.ts$/.test(path)),
)

/** What an extension adds that other files may name: its tables, its types of events, the errors of its routes. */
const namesOf = (one: Module): string[] => [
  ...Object.keys(one.tables ?? {}),
  ...Object.keys(one.events ?? {}),
  ...routesOf([one]).flatMap(({ errors = [] }) => errors),
]

describe('the house, counted:', () => {
  it('a setting is read from the environment by its declaration alone', () => {
    const names = new Set(named(declared).map(([name]) => name))
    expect(names.size).toBeGreaterThan(50)
    const reads = sources.flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(/\benv\b(?:\.|\[')(\w+)/g)]
        .filter(([, name = '']) => names.has(name))
        .map(([found]) => `${path}: ${found}`),
    )
    expect(reads).toEqual([])
  })

  it('an extension is its folder: outside of it the service has its line, its types of events and its codes of errors, and the dashboard names its events', () => {
    const all: Module[] = Object.values(extensions)
    const theirs = new Set(modules.filter((one) => !all.includes(one)).flatMap(namesOf))
    const places = all.flatMap((one) => {
      const own = namesOf(one).filter((name) => /[_.]/.test(name) && !theirs.has(name))
      const naming = new RegExp(`(?<![\\w/-])(?:${own.map((name) => name.replace('.', '\\.')).join('|')})(?![\\w-])`)
      return sources
        .filter(
          ({ path, text }) => own.length > 0 && !path.includes(`/${one.name}/`) && naming.test(withoutComments(text)),
        )
        .map(({ path }) => path)
    })
    expect([...new Set(places)].toSorted()).toEqual([
      'src/domain/connection-error-codes.ts',
      'src/domain/critical-error-codes.ts',
      'src/domain/error-codes.ts',
      'src/modules/events/event-types.ts',
      'web/src/features/webhooks/endpoint-form.tsx',
    ])
  })
})
