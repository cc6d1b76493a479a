/**
 * Real Fedora stacks of a tuning profile: installed, configured, started, found again and taken
 * down. {@link org.fedometer.profiles.stack.Provisioner} makes a {@link
 * org.fedometer.profiles.stack.Stack}; {@link org.fedometer.profiles.stack.StackRegistry} knows
 * those that run.
 */
package org.fedometer.profiles.stack;
