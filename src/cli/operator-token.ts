import type { Command } from 'commander'
import { z } from 'zod'
import { allOperatorScopes } from '../domain/scopes.ts'
import * as audit from '../modules/audit/service.ts'
import {
  createOperatorToken,
  lockOperatorToken,
  revokeOperatorToken,
  rotateOperatorToken,
} from '../modules/identity/operator-tokens.ts'
import { selectOperatorTokens } from '../modules/identity/token-queries.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, listOf, table } from './command.ts'
import { operator } from './session.ts'
import {
  expiresAt,
  fromWhere,
  lastUse,
  rotatedAnswer,
  rotateInput,
  rotateOptions,
  stateOf,
  tokenInput,
  tokenOptions,
  withoutNulls,
} from './token-options.ts'

const scopes = listOf.pipe(z.array(z.enum(allOperatorScopes, `must be some of ${allOperatorScopes.join(', ')}`)).min(1))

const token = z.string().regex(/^otk_\w+$/, 'must be the ID of a token, which begins with otk_')

export function addOperatorTokenCommands(root: Command): void {
  const group = addGroup(
    root,
    'operator-token',
    'Create, list, rotate and revoke tokens for /operator/v1, for your machines and staff.',
  )

  addAdministration(group, {
    name: 'create',
    summary: 'Create a token for /operator/v1. It is shown only once.',
    options: {
      '--name <name>': 'what the token is for',
      '--scopes <scopes>': `its scopes, separated by commas: ${allOperatorScopes.join(', ')}`,
      ...tokenOptions,
    },
    input: z.object({ name: text(200), scopes, ...tokenInput }),
    example: 'kitlane operator-token create --name "lab interface" --scopes results',
    async run(database, { name, scopes, expires, addresses }) {
      const made = await database.asSystem(operator, (tx) =>
        createOperatorToken(tx, { name, scopes, addresses, expiresAt: expiresAt(expires, tx.now) }),
      )
      return {
        json: { id: made.id, token: made.token, expiresDate: made.expiresAt, name, scopes },
        text: `Created the operator token ${made.id}. Keep it safe, it is not shown again:\n${made.token}`,
      }
    },
  })

  addAdministration(group, {
    name: 'list',
    summary: 'List the tokens for /operator/v1. Only their last four characters are stored.',
    options: {},
    input: z.object({}),
    example: 'kitlane operator-token list',
    async run(database) {
      const { tokens, now } = await database.asSystem(operator, async (tx) => ({
        tokens: await selectOperatorTokens(tx),
        now: tx.now,
      }))
      const rows = tokens.map((token) => [
        ...[token.id, token.hint, token.name, token.scopes.join(','), lastUse(token), fromWhere(token)],
        stateOf(token, now),
      ])
      const head = ['ID', 'ENDS IN', 'NAME', 'SCOPES', 'LAST USE', 'FROM', 'STATE']
      return { json: tokens.map(withoutNulls), text: table([head, ...rows]) }
    },
  })

  addAdministration(group, {
    name: 'rotate',
    summary: 'Give a token for /operator/v1 a new secret. The old one stays valid for a while.',
    options: { '--token <id>': 'its ID (otk_…), as `kitlane operator-token list` shows it', ...rotateOptions },
    input: z.object({ token, ...rotateInput }),
    example: 'kitlane operator-token rotate --token otk_4GqYk2wW1lDc9vB7xZ0aTe --overlap-hours 48',
    async run(database, { token, overlapHours, expires }) {
      const rotated = await database.asSystem(operator, async (tx) => {
        const old = await lockOperatorToken(tx, token)
        const made = await rotateOperatorToken(tx, old, { overlapHours, expiresAt: expiresAt(expires, tx.now) })
        const details = { replacedBy: made.id, overlapHours }
        await audit.recordSystem(tx, [{ action: 'token.rotated', objectType: 'token', objectId: token, details }])
        return made
      })
      return rotatedAnswer(rotated)
    },
  })

  addAdministration(group, {
    name: 'revoke',
    summary: 'Revoke a token for /operator/v1 at once.',
    options: { '--token <id>': 'its ID (otk_…), as `kitlane operator-token list` shows it' },
    input: z.object({ token }),
    example: 'kitlane operator-token revoke --token otk_4GqYk2wW1lDc9vB7xZ0aTe',
    async run(database, { token }) {
      await database.asSystem(operator, (tx) => revokeOperatorToken(tx, token))
      return { json: { id: token, revoked: true }, text: `Revoked the operator token ${token}.` }
    },
  })
}
