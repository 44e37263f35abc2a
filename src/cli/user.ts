import type { Command } from 'commander'
import { z } from 'zod'
import * as businesses from '../modules/businesses/service.ts'
import { createUser } from '../modules/operator/users.ts'
import { StartError } from '../platform/errors.ts'
import { email } from '../platform/http/fields.ts'
import { addAdministration, addGroup, business } from './command.ts'
import { operator } from './session.ts'

export function addUserCommands(root: Command): void {
  const group = addGroup(root, 'user', 'Make users of the dashboard.')

  addAdministration(group, {
    name: 'create',
    summary: 'Make a user of the dashboard with a generated password, which is shown only now.',
    options: {
      '--email <address>': 'the e-mail address to log in with',
      '--role <role>': 'operator for your own staff, who see every business; business for the staff of one',
      '--business <business>': 'its ID or its name, for the role business',
    },
    input: z.object({
      email,
      role: z.enum(['operator', 'business'], 'must be operator or business'),
      business: business.optional(),
    }),
    example: 'kitlane user create --email ana@clinic.example --role business --business "Acme Clinic"',
    async run(database, { email, role, business }) {
      if (role === 'business' && !business)
        throw new StartError('--role business needs --business, its ID or its name.')
      if (role === 'operator' && business)
        throw new StartError('--role operator sees every business: leave --business out.')
      const { user, password } = await database.asSystem(operator, async (tx) => {
        const businessId = business && (await businesses.find(tx, business)).id
        return createUser(tx, { email, businessId })
      })
      return {
        json: { user, password },
        text: `Made the user ${user.email}. The password is not shown again: ${password}`,
      }
    },
  })
}
