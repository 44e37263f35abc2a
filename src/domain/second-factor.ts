/** Who must have a second factor. `operators`: everyone with a role of the operator. Businesses may demand it besides. */
export const secondFactorPolicies = ['operators', 'optional'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]
