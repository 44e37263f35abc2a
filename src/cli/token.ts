import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { allScopes } from '../domain/scopes.ts'
import * as audit from '../modules/audit/service.ts'
import * as businesses from '../modules/businesses/service.ts'
import { createToken, listTokens, realmOfToken, revokeToken, type TokenInfo } from '../modules/identity/tokens.ts'
import { isoDate, text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, business, listOf, mode, table } from './command.ts'
import { operator } from './session.ts'

const scopes = listOf.pipe(z.array(z.enum(allScopes, `must be some of ${allScopes.join(', ')}`)).min(1))

export function addTokenCommands(root: Command): void {
  const group = addGroup(root, 'token', 'Make, list and revoke API tokens.')

  addAdministration(group, {
    name: 'create',
    summary: 'Create an API token of a business. It is shown only once.',
    options: {
      '--business <business>': 'its ID or its name',
      '--mode <mode>': 'live or sandbox',
      '--name <name>': 'what the token is for',
      '--scopes <scopes>': 'its scopes, separated by commas (default: all)',
      '--expires <date>': 'the first day on which it is no longer valid, in UTC (default: never)',
    },
    input: z.object({ business, mode, name: text(200), scopes: scopes.optional(), expires: isoDate.optional() }),
    example:
      'kitlane token create --business "Acme Clinic" --mode live --name warehouse --scopes orders:read,kits:read',
    async run(database, { business, mode, name, scopes, expires }) {
      const made = await database.asSystem(operator, async (tx) => {
        const expiresAt = expires === undefined ? undefined : new Date(`${expires}T00:00:00Z`)
        if (expiresAt && expiresAt <= tx.now) throw new StartError('--expires must be a day to come.')
        const { id } = await businesses.find(tx, business)
        const realm = (await businesses.realmsOf(tx, id))[mode]
        const token = await createToken(tx, realm, { name, scopes, expiresAt })
        const entry = { action: 'token.created', objectType: 'token', objectId: token.id }
        await audit.record({ ...tx, realm }, [entry])
        return token
      })
      return {
        json: { ...made, name, mode },
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
        const tokens = await listTokens(tx, id)
        const head = ['ID', 'MODE', 'ENDS IN', 'NAME', 'STATE']
        const rows = tokens.map((token) => [token.id, token.mode, token.hint, token.name, state(token, tx.now)])
        return { json: tokens.map(withoutNulls), text: table([head, ...rows]) }
      })
    },
  })

  addAdministration(group, {
    name: 'revoke',
    summary: 'Revoke a token. Running servers refuse it at once.',
    options: { '--token <id>': 'its ID (tok_…), as `kitlane token list` shows it' },
    input: z.object({ token: z.string().regex(/^tok_\w+$/, 'must be the ID of a token, which begins with tok_') }),
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

function state({ revokedDate, expiresDate }: TokenInfo, now: Date): string {
  if (revokedDate) return `revoked ${revokedDate.toISOString().slice(0, 10)}`
  if (!expiresDate) return 'valid'
  return `${expiresDate > now ? 'valid until' : 'expired'} ${expiresDate.toISOString().slice(0, 10)}`
}

const withoutNulls = (token: TokenInfo) =>
  Object.fromEntries(Object.entries(token).filter(([, value]) => value !== null))
