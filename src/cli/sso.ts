import type { Command } from 'commander'
import { z } from 'zod'
import { allOperatorScopes } from '../domain/scopes.ts'
import { stopEnforcing, verifyDomain } from '../modules/identity/sso/connections.ts'
import { selectAllConnections } from '../modules/identity/sso/queries.ts'
import { addAdministration, addGroup, table } from './command.ts'
import { operator } from './session.ts'

// Anyone who can run this command has the database.
const everything = { callerId: 'cli', scopes: new Set<string>(allOperatorScopes) }

export function addSsoCommands(root: Command): void {
  const group = addGroup(root, 'sso', 'Look after single sign-on, also when nobody can sign in any more.')

  addAdministration(group, {
    name: 'list',
    summary: 'List every single sign-on with its domains.',
    options: {},
    input: z.object({}),
    example: 'kitlane sso list',
    async run(database) {
      const connections = await database.asSystem(operator, selectAllConnections)
      const rows = connections.map(({ id, name, side, issuer, isEnforced, domains }) => [
        ...[id, name, side ?? 'operator', issuer, isEnforced ? 'enforced' : 'optional'],
        domains.map(({ domain, isVerified }) => (isVerified ? domain : `${domain} (not verified)`)).join(', '),
      ])
      const json = connections.map(({ id, name, side, issuer, isEnforced, domains }) => ({
        id,
        name,
        issuer,
        enforced: isEnforced,
        domains,
        ...(side !== null && { businessID: side }),
      }))
      return { json, text: table([['ID', 'NAME', 'OF', 'ISSUER', 'PASSWORDS', 'DOMAINS'], ...rows]) }
    },
  })

  addAdministration(group, {
    name: 'verify-domain',
    summary: 'Say that a domain belongs to the side that claims it: its provider may then sign in its addresses.',
    options: {
      '--connection <id>': 'the single sign-on, as kitlane sso list shows it',
      '--domain <domain>': 'a domain that it claims',
      '--take-back': 'the domain does not belong to it after all',
    },
    input: z.object({ connection: z.string().min(1), domain: z.string().min(1), takeBack: z.boolean().optional() }),
    example: 'kitlane sso verify-domain --connection sso_… --domain clinic.example',
    async run(database, { connection, domain, takeBack = false }) {
      const asked = { connectionId: connection, domain: domain.toLowerCase(), isVerified: !takeBack }
      const { domains } = await database.asSystem(operator, (tx) => verifyDomain(tx, asked, everything))
      return {
        json: { id: connection, domains },
        text: takeBack ? `${domain} is not verified any more.` : `${domain} is verified.`,
      }
    },
  })

  addAdministration(group, {
    name: 'allow-passwords',
    summary: 'Stop enforcing a single sign-on, for when its provider fails and the emergency account is lost.',
    options: { '--connection <id>': 'the single sign-on, as kitlane sso list shows it' },
    input: z.object({ connection: z.string().min(1) }),
    example: 'kitlane sso allow-passwords --connection sso_…',
    async run(database, { connection }) {
      await database.asSystem(operator, (tx) => stopEnforcing(tx, connection))
      return { json: { id: connection, enforced: false }, text: 'People may use their passwords again.' }
    },
  })
}
