import { type Grant, lastingGrant } from '../../domain/effects.ts'
import { AppError } from '../../domain/errors.ts'
import { lacks } from './access.ts'
import type { Access, OperatorAccess } from './caller.ts'
import type { Input, RouteOf } from './route.ts'

type Granting = Pick<RouteOf<'business' | 'operator'>, 'grants'>

const grantsOf = ({ grants = [] }: Granting, input: Input<unknown, unknown, unknown>): readonly Grant[] =>
  typeof grants === 'function' ? grants(input) : grants

/**
 * Refuses to make what goes on acting by itself where the caller may not do all that it may, or is there by a support access
 * that it would outlive. @throws FORBIDDEN
 */
export function authorizeGrants(
  route: RouteOf<'business'>,
  access: Access,
  input: Input<unknown, unknown, unknown>,
): void {
  for (const grant of grantsOf(route, input)) {
    const { words, needs, inSupportAccess } = lastingGrant(grant)
    const lacking = needs.business.find((scope) => !access.scopes.has(scope))
    if (lacking) throw lacks(access.callerId, lacking)
    if (!access.support || inSupportAccess !== 'refused') continue
    throw new AppError(
      'FORBIDDEN',
      `Only a user of the business makes or changes ${words}: it would outlive the support access`,
    )
  }
}

/** The same for the operator. @throws FORBIDDEN */
export function authorizeOperatorGrants(
  route: RouteOf<'operator'>,
  access: OperatorAccess,
  input: Input<unknown, unknown, unknown>,
): void {
  const lacking = grantsOf(route, input)
    .flatMap((grant) => lastingGrant(grant).needs.operator)
    .find((scope) => !access.scopes.has(scope))
  if (lacking) throw lacks(access.callerId, lacking)
}
