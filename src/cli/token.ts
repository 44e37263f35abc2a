import type { Command } from 'commander'
import { z } from 'zod'
import { allScopes, defaultScopes } from '../domain/scopes.ts'
import * as audit from '../modules/audit/service.ts'
import * as businesses from '../modules/businesses/service.ts'
import { selectTokens } from '../modules/identity/token-queries.ts'
import { createToken, lockOwnToken, realmOfToken, revokeToken, rotateToken } from '../modules/identity/tokens.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, business, listOf, mode, table } from './command.ts'
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

const notByDefault = allScopes.filter((scope) => !defaultScopes.includes(scope))
const scopes = listOf.pipe(z.array(z.enum(allScopes, `must be some of ${allScopes.join(', ')}`)).min(1))

const token = z.string().regex(/^tok_\w+$/, 'must be the ID of a token, which begins with tok_')

export function addTokenCommands(root: Command): void {
  const group = addGroup(root, 'token', 'Make, list, rotate and revoke API tokens.')

  addAdministration(group, {
    name: 'create',
    summary: 'Create an API token of a business. It is shown only once.',
    options: {
      '--business <business>': 'its ID or its name',
      '--mode <mode>': 'live or sandbox',
      '--name <name>': 'what the token is for (default: Command line)',
      '--scopes <scopes>': `its scopes, separated by commas (default: all but ${notByDefault.join(', ')})`,
      ...tokenOptions,
    },
    input: z.object({
      business,
      mode,
      name: text(200).default('Command line'),
      scopes: scopes.optional(),
      ...tokenInput,
    }),
    example:
      'kitlane token create --business "Acme Clinic" --mode live --name warehouse --scopes orders:read,kits:read',
    async run(database, { business, mode, name, scopes, expires, addresses }) {
      const made = await database.asSystem(operator, async (tx) => {
        const { id } = await businesses.find(tx, business)
        const realm = (await businesses.realmsOf(tx, id))[mode]
        const token = await createToken(tx, realm, { name, scopes, addresses, expiresAt: expiresAt(expires, tx.now) })
        const entry = { action: 'token.created' as const, objectType: 'token', objectId: token.id }
        await audit.record({ ...tx, realm }, [entry])
        return token
      })
      return {
        json: { id: made.id, token: made.token, expiresDate: made.expiresAt, name, mode },
        text: `Created the ${mode} token ${made.id}. Keep it safe, it is not shown again:\n${made.token}`,
      }
    },
  })

  addAdministration(group, {
    name: 'list',
    summary: 'List the tokens of a business. Only their last four characters are stored.',
    options: { '--business <business>': 'its ID or its name' },
    input: z.object({ business }),
    example: 'kitlane token list --business "Acme Clinic"',
    async run(database, { business }) {
      return database.asSystem(operator, async (tx) => {
        const { id } = await businesses.find(tx, business)
        const tokens = await selectTokens(tx, id)
        const head = ['ID', 'MODE', 'ENDS IN', 'NAME', 'LAST USE', 'FROM', 'STATE']
        const rows = tokens.map((token) => [
          ...[token.id, token.mode, token.hint, token.name, lastUse(token), fromWhere(token)],
          stateOf(token, tx.now),
        ])
        return { json: tokens.map(withoutNulls), text: table([head, ...rows]) }
      })
    },
  })

  addAdministration(group, {
    name: 'rotate',
    summary: 'Give a token a new secret. The old one stays valid for a while.',
    options: { '--token <id>': 'its ID (tok_…), as `kitlane token list` shows it', ...rotateOptions },
    input: z.object({ token, ...rotateInput }),
    example: 'kitlane token rotate --token tok_4GqYk2wW1lDc9vB7xZ0aTe --overlap-hours 48',
    async run(database, { token, overlapHours, expires }) {
      const rotated = await database.asSystem(operator, async (tx) => {
        const realm = await realmOfToken(tx, token)
        const old = await lockOwnToken(tx, realm, token)
        const made = await rotateToken(tx, realm, old, { overlapHours, expiresAt: expiresAt(expires, tx.now) })
        const details = { replacedBy: made.id, overlapHours }
        await audit.record({ ...tx, realm }, [
          { action: 'token.rotated', objectType: 'token', objectId: token, details },
        ])
        return made
      })
      return rotatedAnswer(rotated)
    },
  })

  addAdministration(group, {
    name: 'revoke',
    summary: 'Revoke a token. Running servers refuse it at once.',
    options: { '--token <id>': 'its ID (tok_…), as `kitlane token list` shows it' },
    input: z.object({ token }),
    example: 'kitlane token revoke --token tok_4GqYk2wW1lDc9vB7xZ0aTe',
    async run(database, { token }) {
      await database.asSystem(operator, async (tx) => {
        const realm = await realmOfToken(tx, token)
        await revokeToken(tx, token)
        await audit.record({ ...tx, realm }, [{ action: 'token.revoked', objectType: 'token', objectId: token }])
      })
      return { json: { id: token, revoked: true }, text: `Revoked the token ${token}.` }
    },
  })
}
