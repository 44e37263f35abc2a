import type { Command } from 'commander'
import type { z } from 'zod'
import { type Answer, addCommand, type Declaration } from '../command.ts'
import { type Connection, connectWith, findLogin, inSentence } from './connect.ts'

/** A command for developers: it calls a service with a token and needs no database. */
export interface RemoteCommand<Input extends z.ZodObject> extends Declaration<Input> {
  /** Returns nothing where it has printed its answer itself. */
  run(connection: Connection, input: z.output<Input>, output: { json: boolean }): Promise<Answer | undefined>
}

/** Connects as the environment says, or else as `kitlane login` kept it. @throws StartError */
const connect = async (): Promise<Connection> => connectWith(await findLogin())

export function addRemote<Input extends z.ZodObject>(parent: Command, definition: RemoteCommand<Input>): void {
  addCommand(parent, definition, async (input, output) => {
    const connection = await connect()
    try {
      return await definition.run(connection, input, output)
    } catch (error) {
      throw await inSentence(error, connection.url)
    }
  })
}
