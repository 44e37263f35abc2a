import { vi } from 'vitest'

/** Waits for a state where `expect.poll` cannot: before the tests of a file, and in concurrent ones. No measure of speed: what hangs ends. */
export const waitUntil = <T>(isThere: () => T | Promise<T>) => vi.waitUntil(isThere, { timeout: 240_000, interval: 50 })
