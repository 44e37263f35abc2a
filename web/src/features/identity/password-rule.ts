const LEAST_LENGTH = 12

/** Why a password will not do, in a sentence; undefined when the form may be sent. The service has the last word. */
export function passwordProblem(password: string): string | undefined {
  return password.length < LEAST_LENGTH ? `At least ${LEAST_LENGTH} characters` : undefined
}
