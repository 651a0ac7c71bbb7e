// The board as an element of a page: gives `board.js` a model made of the element's properties.
import board from "board";

const TRAITS = ["state", "locked", "tools", "theme", "animate"];

export default {
  template: "<div></div>",
  props: {
    state: Object, locked: Boolean, tools: Array, theme: String, animate: Boolean, keyboard: String,
  },
  mounted() {
    const heard = {};
    const own = {};
    const model = {
      get: (trait) => (trait in own ? own[trait] : this[trait]),
      set: (trait, value) => { own[trait] = value; },
      on: (event, does) => { (heard[event] ??= new Set()).add(does); },
      off: (event, does) => { heard[event]?.delete(does); },
      save_changes: () => this.$emit("chosen", own.chosen),
    };
    this.end = board.render({ model, el: this.$el });
    for (const trait of TRAITS) {
      this.$watch(trait, () => heard[`change:${trait}`]?.forEach((does) => does()));
    }
  },
  unmounted() {
    this.end();
  },
};
