export const unmended: readonly string[] = []
