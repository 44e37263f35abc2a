import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import * as businesses from '../modules/businesses/service.ts'
import { businessRoles, operatorRoles, type Role } from '../modules/identity/rules.ts'
import { selectUsers } from '../modules/identity/user-queries.ts'
import { createUser, resetPassword, setDisabled } from '../modules/identity/users.ts'
import { email } from '../platform/http/fields.ts'
import { addAdministration, addGroup, business, table } from './command.ts'
import { operator } from './session.ts'

// The two short names stand for the administrator roles.
const short: Record<string, Role> = { operator: 'operator-admin', business: 'business-admin' }
const roles = [...operatorRoles, ...businessRoles]
const role = z
  .string()
  .transform((text) => short[text] ?? text)
  .pipe(z.enum(roles, `must be operator, business or one of ${roles.join(', ')}`))

export function addUserCommands(root: Command): void {
  const group = addGroup(root, 'user', 'Make and look after the users of the dashboard.')

  addAdministration(group, {
    name: 'create',
    summary: 'Create a user of the dashboard with a generated password. The password is shown only once.',
    options: {
      '--email <address>': 'the e-mail address to sign in with; a verified account that exists gets one more role',
      '--role <role>':
        'for your own staff: operator-admin (or operator), fulfilment, lab, reviewer, provider; for a business: business-admin (or business), business-viewer',
      '--business <business>': 'its ID or its name, for the roles of a business',
    },
    input: z.object({ email, role, business: business.optional() }),
    example: 'kitlane user create --email ana@clinic.example --role business --business "Acme Clinic"',
    async run(database, { email, role, business }) {
      const isBusiness = role.startsWith('business-')
      if (isBusiness && !business) throw new StartError('This role needs --business, its ID or its name.')
      if (!isBusiness && business) throw new StartError('This role is of your own staff: leave --business out.')
      const { user, password } = await database.asSystem(operator, async (tx) => {
        const businessId = business && (await businesses.find(tx, business)).id
        return createUser(tx, { email, role, businessId })
      })
      return {
        json: { user, ...(password && { password }) },
        text: password
          ? `Created the user ${user.email}. The password is not shown again: ${password}`
          : `Gave ${user.email} the role ${user.role}; the password stays the same.`,
      }
    },
  })

  addAdministration(group, {
    name: 'list',
    summary: 'List the users of the dashboard with their roles.',
    options: {},
    input: z.object({}),
    example: 'kitlane user list',
    async run(database) {
      const users = await database.asSystem(operator, selectUsers)
      const rows = users.map(({ email, id, disabledAt, totpEnabled, hasPasskey, memberships }) => [
        ...[email, id, disabledAt ? 'disabled' : 'active'],
        [hasPasskey && 'passkey', totpEnabled && 'codes'].filter(Boolean).join(', ') || '-',
        memberships.map(({ role, business }) => (business ? `${role} (${business})` : role)).join(', '),
      ])
      const json = users.map(({ disabledAt, lastSeenAt, hasPassword, ...user }) => ({
        ...user,
        disabled: disabledAt !== null,
        invited: !hasPassword,
        ...(lastSeenAt && { lastSignInDate: lastSeenAt.toISOString() }),
      }))
      return { json, text: table([['E-MAIL', 'ID', 'STATE', 'SECOND FACTOR', 'ROLES'], ...rows]) }
    },
  })

  addAdministration(group, {
    name: 'reset-password',
    summary: 'Give a user a new generated password, shown only once, and end their sessions.',
    options: {
      '--email <address>': 'the e-mail address of the user',
      '--drop-codes': 'also remove the passkeys and authenticator codes, if they are lost',
    },
    input: z.object({ email, dropCodes: z.boolean().optional() }),
    example: 'kitlane user reset-password --email ana@clinic.example',
    async run(database, { email, dropCodes = false }) {
      const { id, password } = await database.asSystem(operator, (tx) => resetPassword(tx, email, { dropCodes }))
      return { json: { id, email, password }, text: `The new password is not shown again: ${password}` }
    },
  })

  addAdministration(group, {
    name: 'disable',
    summary: 'Block a user everywhere, at once. --enable unblocks them.',
    options: {
      '--email <address>': 'the e-mail address of the user',
      '--enable': 'unblock the user',
    },
    input: z.object({ email, enable: z.boolean().optional() }),
    example: 'kitlane user disable --email ana@clinic.example',
    async run(database, { email, enable = false }) {
      const { id } = await database.asSystem(operator, (tx) => setDisabled(tx, email, !enable))
      return {
        json: { id, email, disabled: !enable },
        text: `The user ${email} is ${enable ? 'unblocked' : 'blocked'}.`,
      }
    },
  })
}
