import { Kitlane } from '@kitlane/client'

let client

/** The token stays on the server: this file is imported by server code alone. */
export function kitlane() {
  client ??= new Kitlane({ token: process.env.KITLANE_TOKEN ?? '', baseUrl: process.env.KITLANE_URL ?? '' })
  return client
}
