import { Button, Kbd } from '@mantine/core'

/** A button that shows its keyboard shortcut. */
export function KeyButton({ name, words, run }: { name: string; words: string; run: () => void }) {
  return (
    <Button variant="default" onClick={run} rightSection={<Kbd size="xs">{name}</Kbd>}>
      {words}
    </Button>
  )
}
