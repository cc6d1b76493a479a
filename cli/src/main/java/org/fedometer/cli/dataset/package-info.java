/** Commands on datasets, and the options that select one. */
package org.fedometer.cli.dataset;
