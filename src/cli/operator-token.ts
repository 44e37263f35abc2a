import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { allOperatorScopes } from '../domain/scopes.ts'
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from '../modules/identity/operator-tokens.ts'
import { isoDate, text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, listOf, table } from './command.ts'
import { operator } from './session.ts'

const scopes = listOf.pipe(z.array(z.enum(allOperatorScopes, `must be some of ${allOperatorScopes.join(', ')}`)).min(1))

export function addOperatorTokenCommands(root: Command): void {
  const group = addGroup(
    root,
    'operator-token',
    'Create, list and revoke tokens for /operator/v1, for your machines and staff.',
  )

  addAdministration(group, {
    name: 'create',
    summary: 'Create a token for /operator/v1. It is shown only once.',
    options: {
      '--name <name>': 'what the token is for',
      '--scopes <scopes>': `its scopes, separated by commas: ${allOperatorScopes.join(', ')}`,
      '--expires <date>': 'the first day on which it is no longer valid, in UTC (default: never)',
    },
    input: z.object({ name: text(200), scopes, expires: isoDate.optional() }),
    example: 'kitlane operator-token create --name "lab interface" --scopes lab',
    async run(database, { name, scopes, expires }) {
      const made = await database.asSystem(operator, async (tx) => {
        const expiresAt = expires === undefined ? undefined : new Date(`${expires}T00:00:00Z`)
        if (expiresAt && expiresAt <= tx.now) throw new StartError('--expires must be a day to come.')
        return createOperatorToken(tx, { name, scopes, expiresAt })
      })
      return {
        json: { ...made, name, scopes },
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
      const tokens = await database.asSystem(operator, listOperatorTokens)
      const rows = tokens.map(({ id, hint, name, scopes, revokedDate }) => [
        id,
        hint,
        name,
        scopes.join(','),
        revokedDate ? `revoked ${revokedDate.toISOString().slice(0, 10)}` : 'valid',
      ])
      return { json: tokens, text: table([['ID', 'ENDS IN', 'NAME', 'SCOPES', 'STATE'], ...rows]) }
    },
  })

  addAdministration(group, {
    name: 'revoke',
    summary: 'Revoke a token for /operator/v1 at once.',
    options: { '--token <id>': 'its ID (otk_…), as `kitlane operator-token list` shows it' },
    input: z.object({ token: z.string().regex(/^otk_\w+$/, 'must be the ID of a token, which begins with otk_') }),
    example: 'kitlane operator-token revoke --token otk_4GqYk2wW1lDc9vB7xZ0aTe',
    async run(database, { token }) {
      await database.asSystem(operator, (tx) => revokeOperatorToken(tx, token))
      return { json: { id: token, revoked: true }, text: `Revoked the operator token ${token}.` }
    },
  })
}
