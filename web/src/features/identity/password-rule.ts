import { t } from '../../language/t.ts'

const LEAST_LENGTH = 12

/** Why a password is not accepted; undefined when the form may be sent. The service has the final say. */
export function passwordProblem(password: string): string | undefined {
  return password.length < LEAST_LENGTH ? t('At least {count} characters', { count: LEAST_LENGTH }) : undefined
}
