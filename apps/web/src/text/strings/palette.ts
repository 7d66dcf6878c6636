/** What people read in `editor/palette/`. */
export const paletteWords = {
  nothingFits: 'No type of node fits these words.',
  // palette
  palette: 'Palette',
  findANode: 'Find a node',
  sections: {
    injector: 'Injectors',
    computation: 'Computations',
    operator: 'Operators',
    sink: 'Sinks',
  },
  // quick-add-picker
  addANode: 'Add a node',
  addANodeBeside: (name: string, isBehind: boolean) => `Add a node ${isBehind ? 'after' : 'before'} ${name}`,
  addBeside: (name: string, isBehind: boolean) => `Add ${isBehind ? 'after' : 'before'} ${name}`,
  // connect-picker
  connectTo: (name: string) => `Connect ${name} to`,
  connectToWhat: (name: string) => `Connect ${name} to…`,
  from: (output: string, isNewOutput: boolean, isNewInput: boolean) =>
    `from ${output}${isNewOutput ? ' (new)' : ''}${isNewInput ? ', a new input' : ''}`,
  noOutput: 'A sink has no output.',
  noPort: 'There is no port to connect to.',
} as const;
