/** The folder with the compiled form of exactly the sources below `root`, which is made if it is missing; undefined if it cannot be made. */
export function compiledSources(root: string): Promise<string | undefined>
