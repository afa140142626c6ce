/** Where in the stream the last decoded bytes began: as many as the longest pattern has. */
export interface Origins {
  /** Bytes noted so far, or their number where they were followed from. */
  readonly count: number;
  add(at: number): void;
  /** Adds `many`, and notes that the last ones, `noted` of them, stand one behind the other before `end`. */
  run(end: number, many: number, noted: number): void;
  /** For one of the last bytes, by its number. */
  of(index: number): number;
  /** Forgets the last ones. */
  drop(many: number): void;
}

export function createOrigins(longest: number): Origins {
  const last = 2 ** Math.ceil(Math.log2(longest + 4)) - 1;
  const places = new Float64Array(last + 1);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(at) {
      places[count & last] = at;
      count += 1;
    },
    run(end, many, noted) {
      count += many;
      for (let back = noted; back > 0; back--) places[(count - back) & last] = end - back;
    },
    of: index => places[index & last]!,
    drop(many) {
      count -= many;
    },
  };
}
