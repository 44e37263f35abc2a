import { expect, test } from 'vitest'
import { defaultScopes } from '../../src/domain/scopes.ts'
import { scopeOfEvent } from '../../src/modules/events/event-types.ts'

test('a token with the usual scopes may have every event, so that an endpoint that names none can be made', () => {
  expect(Object.entries(scopeOfEvent).filter(([, scope]) => !defaultScopes.includes(scope))).toEqual([])
})
