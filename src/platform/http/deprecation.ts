export interface Deprecation {
  /** RFC 9745: since when. */
  since: string
  /** RFC 8594: until when at least it works. */
  sunset: string
  successor: string
}

/** RFC 9745 and RFC 8594. */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  }
}
