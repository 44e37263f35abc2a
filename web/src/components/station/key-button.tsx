import { Button, Kbd } from '@mantine/core'

/** A button that names the key which does the same. */
export function KeyButton({ name, words, run }: { name: string; words: string; run: () => void }) {
  return (
    <Button variant="default" onClick={run} rightSection={<Kbd size="xs">{name}</Kbd>}>
      {words}
    </Button>
  )
}
