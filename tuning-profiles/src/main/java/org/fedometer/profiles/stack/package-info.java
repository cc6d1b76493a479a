/**
 * Real Fedora stacks of a tuning profile: installation, configuration, start, search and removal.
 * {@link org.fedometer.profiles.stack.Provisioner} makes a {@link
 * org.fedometer.profiles.stack.Stack}; {@link org.fedometer.profiles.stack.StackRegistry} has the
 * running ones.
 */
package org.fedometer.profiles.stack;
